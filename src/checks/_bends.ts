import type { Bendable, HttpPlan } from "../model/bendable.ts";
import { at } from "../model/json.ts";

/** The methods with which a conversation opens, one a revision. */
export const OPENINGS = ["initialize", "server/discover"] as const;

/** The control requests, one a revision. Where there are no sessions it is the opening as well. */
export const CONTROLS = ["ping", "server/discover"] as const;

/** What a fault makes the reference server answer over HTTP: any body, of any type. */
export const page = (status: number, body = "", type = "text/html"): HttpPlan => ({
  status,
  headers: type === "" ? [] : [["Content-Type", type]],
  body,
});

/** An HTTP answer with a JSON body. */
export const jsonPage = (status: number, json: unknown): HttpPlan =>
  page(status, JSON.stringify(json), "application/json");

/** A JSON-RPC error without an id as an HTTP answer. */
export const errorPage = (status: number, code: number): HttpPlan =>
  jsonPage(status, { jsonrpc: "2.0", id: null, error: { code, message: "no" } });

/** A bend of the HTTP answers to accepted messages of one method; refusals stay as they are. */
export const onMethod = (method: string, how: (plan: HttpPlan) => HttpPlan) => (server: Bendable) =>
  server.http((plan, { json }) => (at(json, "method") === method && plan.status < 300 ? how(plan) : plan));

/** A bend of the HTTP answers to the control request. */
export const onControl = (how: (plan: HttpPlan) => HttpPlan) => (server: Bendable) => {
  for (const method of CONTROLS) onMethod(method, how)(server);
};

/** Sets the member at `path` in the result of the opening; undefined removes it. */
export const inOpening = (path: readonly (string | number)[], value: unknown) => (server: Bendable) => {
  for (const method of OPENINGS) server.put(method, path, value);
};

/** A bend of the HTTP requests with one HTTP method, answered before anything else looks at them. */
export const onHttp = (method: string, plan: HttpPlan) => (server: Bendable) =>
  server.gate((request) => (request.method === method ? plan : undefined));
