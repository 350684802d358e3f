/** Works through the items in order, `width` at a time; stops taking new ones when `stopped` says so. */
export async function pool<T>(
  width: number,
  items: readonly T[],
  stopped: () => boolean,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined && !stopped(); next = queue.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(width, queue.length)) }, worker));
}
