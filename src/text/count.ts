/** A number with its noun: `1 tool`, `2 tools`. */
export const count = (number: number, noun: string): string => `${number} ${number === 1 ? noun : `${noun}s`}`;
