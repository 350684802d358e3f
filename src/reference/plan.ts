import type { HttpPlan } from "../model/bendable.ts";

/** An HTTP answer with a JSON body. */
export const answer = (status: number, json: unknown): HttpPlan => ({
  status,
  headers: [["Content-Type", "application/json"]],
  body: JSON.stringify(json),
});

/** An HTTP refusal with a JSON-RPC error for a body. */
export const problem = (status: number, code: number, message: string): HttpPlan =>
  answer(status, { jsonrpc: "2.0", error: { code, message } });
