export { nearest } from "../text/nearest.ts";

/** How a value begins that may hold a secret, for a message about it. */
export const beginning = (value: string): string => JSON.stringify(value.length <= 4 ? value : `${value.slice(0, 4)}…`);

/** The user's mistake: names the input, the reason and the mend. Ends with exit code 2 and no stack trace. */
export class UsageError extends Error {
  override name = "UsageError";
}
