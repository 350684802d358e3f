export { nearest } from "../text/nearest.ts";

/** The user's mistake: names the input, the reason and the mend. Ends with exit code 2 and no stack trace. */
export class UsageError extends Error {
  override name = "UsageError";
}
