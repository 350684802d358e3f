import { opened } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import type { Exchange } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { at, isObject, kindOf } from "../../model/json.ts";
import { resultOf, rpcError } from "../../model/message.ts";
import { blocked, type Complaint, fail, pass } from "../../model/outcome.ts";
import { settled } from "../_refusal.ts";
import { sight } from "../_sight.ts";

/** What is offered beside no declaration. */
const UNDECLARED = [
  "lifecycle-capabilities",
  "lifecycle-capability-handlers-match",
  "error-capability-gated",
  "schema-wire-valid",
];

export default defineCheck({
  id: "lifecycle-discover",
  title: "server/discover is answered with what the server speaks and offers",
  why: "It is the first thing a client asks; without a complete answer it takes the server for an older one, or for a broken one.",
  fix: 'Answer server/discover with resultType "complete", supportedVersions (an array) and capabilities (an object), and go on serving.',
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}',
    '<- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":3600000,"cacheScope":"public"}}',
  ],
  effect: "shared",
  needs: { opened },
  faults: [
    fault("knows no server/discover", (server) =>
      server.answer("server/discover", () => ({ error: { code: -32601, message: "method not found" } })),
    ),
    fault("answers server/discover with an internal error", (server) =>
      server.answer("server/discover", () => ({ error: { code: -32603, message: "not configured" } })),
    ),
    fault(
      "answers server/discover with an internal error and HTTP 500",
      (server) => {
        server.answer("server/discover", () => ({ error: { code: -32603, message: "not configured" } }));
        server.http((plan, { json }) => (at(json, "method") === "server/discover" ? { ...plan, status: 500 } : plan));
      },
      { on: "http" },
    ),
    // Over HTTP the preflight asks first, and finds the last of such a server.
    fault("exits when it is asked server/discover", (server) => server.before("server/discover", ({ die }) => die()), {
      on: "stdio",
    }),
    fault(
      "answers server/discover with null",
      (server) =>
        server.reply((reply, { method }) => (method === "server/discover" ? { ...reply, result: null } : reply)),
      { alsoFails: ["schema-wire-valid", "schema-result-type"] },
    ),
    fault("discovers without a resultType", (server) => server.drop("server/discover", ["resultType"]), {
      alsoFails: ["schema-result-type", "schema-wire-valid"],
    }),
    fault(
      "discovers nothing yet, and asks for input",
      (server) => server.put("server/discover", ["resultType"], "input_required"),
      { alsoFails: ["schema-no-input-required-on-lists", "schema-input-required-shape"] },
    ),
    fault("discovers without supportedVersions", (server) => server.drop("server/discover", ["supportedVersions"]), {
      alsoFails: ["lifecycle-discover-versions", "schema-wire-valid"],
    }),
    fault("discovers without capabilities", (server) => server.drop("server/discover", ["capabilities"]), {
      alsoFails: UNDECLARED,
    }),
    fault(
      "lists its capabilities in the answer to server/discover",
      (server) => server.put("server/discover", ["capabilities"], ["tools", "prompts"]),
      { alsoFails: UNDECLARED },
    ),
  ],
  async run({ opened }, server) {
    const exchange = settled(await server.attributed(opened.exchange, { codes: "any" }));
    const error = rpcError(exchange.reply);
    if (error !== undefined) return fail("a result of server/discover", refusalIn(exchange, error.code), exchange);
    const result = resultOf(exchange.reply);
    if (!isObject(result)) {
      const answered = exchange.received.some(({ message }) => message?.jsonrpc !== undefined);
      return answered
        ? fail("a result object of server/discover", sight(exchange), exchange)
        : blocked(opened.refusal ?? "server/discover was not answered", "opening", exchange);
    }
    const wrong = complaint(result);
    if (wrong !== undefined) return fail(...wrong, exchange);
    const after = await server.attributed(await server.control(), { codes: "any" });
    if (after.reply === undefined) return fail("an answer to the request after it", sight(after), after, exchange);
    return pass(
      "resultType, supportedVersions and capabilities, and a server that goes on answering",
      undefined,
      exchange,
    );
  },
});

// --- internal ---

function complaint(result: { readonly [key: string]: unknown }): Complaint {
  const { resultType, supportedVersions, capabilities } = result;
  if (resultType !== "complete") {
    const actual = typeof resultType === "string" ? JSON.stringify(resultType.slice(0, 40)) : kindOf(resultType);
    return ['"complete" as resultType', actual];
  }
  if (!Array.isArray(supportedVersions)) return ["an array supportedVersions", kindOf(supportedVersions)];
  return isObject(capabilities) ? undefined : ["an object capabilities", kindOf(capabilities)];
}

/** Servers of the older revisions know no such method, or want their handshake first. */
function refusalIn(exchange: Exchange, code: number): string {
  const legacy = code === -32601 || (code <= -32000 && code > -32020);
  return legacy ? `${sight(exchange)}, as a legacy-only server answers` : sight(exchange);
}
