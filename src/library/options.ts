import { killAll } from "../wire/children.ts";
import type { Addresses } from "./addresses.ts";
import type { HttpExtras } from "./target.ts";

/** What every function that contacts a server takes. Times are in milliseconds. */
export interface CommonOptions extends HttpExtras {
  /** For each request. Default 15000. */
  readonly timeout?: number;
  /** For the first answer. Default 60000, or `timeout` if that is more. */
  readonly startupTimeout?: number;
  /** For the first server/discover over HTTP. Default 10000, or `timeout` if that is less. */
  readonly preflightTimeout?: number;
  /** Which addresses may be connected to. Default `any`. */
  readonly addresses?: Addresses;
  /** All addresses of a host name, in place of what the system's resolver says. */
  readonly lookup?: (host: string) => Promise<readonly string[]>;
  /** Ends the work within a second, connections and processes at once; the result is then not whole, and a report says so. */
  readonly signal?: AbortSignal;
}

export function timesOf(options: CommonOptions) {
  const request = whole(options.timeout, "timeout", 15_000, 1);
  return {
    request,
    startup: whole(options.startupTimeout, "startupTimeout", Math.max(request, 60_000), 1),
    preflight: whole(options.preflightTimeout, "preflightTimeout", Math.min(request, 10_000), 1),
    quiet: 1000,
    grace: 2000,
  };
}

/** @throws TypeError where the value is no whole number of at least `least`. */
export function whole(value: number | undefined, name: string, otherwise: number, least: number): number {
  if (value === undefined) return otherwise;
  if (!Number.isInteger(value) || value < least || value > 1_000_000_000) {
    throw new TypeError(`${name} ${String(value)} is no whole number from ${least} on`);
  }
  return value;
}

/** @throws TypeError where the value is no list of texts. */
export function texts(value: readonly string[] | undefined, name: string): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.some((each) => typeof each !== "string")) {
    throw new TypeError(`${name} ${JSON.stringify(value)} is no list of texts`);
  }
  return value;
}

/** A program that ends in the middle of a run leaves no server behind. */
export function endChildrenAtExit(): void {
  if (hooked) return;
  hooked = true;
  process.on("exit", () => killAll(process.platform));
}

// --- internal ---

let hooked = false;
