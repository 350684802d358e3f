import type { Header, HttpReply } from "./exchange.ts";

/** An answer over HTTP as it is recorded, for tests that make exchanges by hand. */
export const httpReply = (status: number, headers: readonly Header[] = [], body = ""): HttpReply => ({
  status,
  headers,
  body,
  bytes: body.length,
  truncated: false,
  ended: true,
  badLines: [],
  events: [],
});
