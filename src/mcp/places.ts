/** Gives places to runs: each is many connections, and an assistant may ask for any number of them. */
export interface Places {
  /** Does the work, or returns undefined where no place is free: a client would rather know than wait for nothing. */
  take<T>(work: () => Promise<T>): Promise<T | undefined>;
}

export function createPlaces(most = 4): Places {
  let taken = 0;
  return {
    async take(work) {
      if (taken >= most) return undefined;
      taken++;
      try {
        return await work();
      } finally {
        taken--;
      }
    },
  };
}
