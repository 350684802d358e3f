import type { Bendable, HttpPlan, HttpRequestView } from "../../model/bendable.ts";
import type { Exchange } from "../../model/exchange.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { at, isObject, type JsonObject } from "../../model/json.ts";
import { rpcError } from "../../model/message.ts";
import { fail, type Outcome, pass } from "../../model/outcome.ts";
import type { Attribution, HttpInit, RawHttp, Server } from "../../model/session.ts";
import { jsonPage, page } from "../_bends.ts";
import { settled } from "../_refusal.ts";
import { sight } from "../_sight.ts";

/** The headers that a request bears beside its body, as this family of checks calls them. */
export const VERSION = "MCP-Protocol-Version";
export const METHOD = "Mcp-Method";
export const NAME = "Mcp-Name";

/** What is wrong with the headers of an otherwise right message, and for reports in words. */
export interface Odd {
  readonly what: string;
  readonly headers: Pick<HttpInit, "set" | "drop">;
  readonly message: JsonObject;
}

/** Sends the message with its odd headers. What comes back is the server's own answer. */
export async function probe(
  server: Server & RawHttp,
  { headers, message }: Odd,
  { raw, ...how }: Pick<Attribution, "sibling"> & Pick<HttpInit, "raw"> = {},
): Promise<Exchange> {
  const id = at(message, "id");
  const exchange = await server.http({
    ...headers,
    ...(raw === undefined ? {} : { raw }),
    body: JSON.stringify(message),
    ...(typeof id === "string" || typeof id === "number" ? { id } : {}),
  });
  return server.attributed(settled(exchange), { ...how, codes: [MISMATCH] });
}

/** Judges that the message was refused for its headers: HTTP 400 with error -32020. */
export function refused({ what }: Odd, exchange: Exchange): Outcome {
  const code = rpcError(exchange.reply)?.code;
  const status = exchange.http?.status;
  if (status === 400 && code === MISMATCH)
    return pass(`HTTP 400 with error ${MISMATCH} for ${what}`, undefined, exchange);
  return fail(
    `HTTP 400 with error ${MISMATCH} for ${what}`,
    code === undefined ? sight(exchange) : `HTTP ${status} with error ${code}`,
    exchange,
  );
}

/** The ways to get one header wrong. `odd` tells its probes from right requests; `mend` makes them look right. */
export interface Bent {
  readonly what: string;
  readonly odd: (request: HttpRequestView) => boolean;
  readonly mend: (headers: Record<string, string | undefined>, request: HttpRequestView) => void;
  /** Another code that servers choose. */
  readonly codes: readonly number[];
}

export function headerFaults({ what, odd, mend, codes }: Bent): readonly [Fault, ...Fault[]] {
  const instead = (plan: (request: HttpRequestView, own: HttpPlan) => HttpPlan) => (server: Bendable) =>
    server.http((own, request) => (odd(request) ? plan(request, own) : own));
  return [
    fault(`serves ${what}`, (server) =>
      server.incoming((headers, request) => {
        if (odd(request)) mend(headers, request);
      }),
    ),
    ...codes.map((code) =>
      fault(
        `refuses ${what} with ${code}`,
        instead(({ json }) => jsonPage(400, errorOf(json, code))),
      ),
    ),
    fault(
      `refuses ${what} with status 200`,
      instead((_, own) => ({ ...own, status: 200 })),
    ),
    fault(
      `refuses ${what} with an empty 400`,
      instead(() => page(400, "", "")),
    ),
    fault(
      `breaks down on ${what}`,
      instead(() => page(500, "cannot read properties of undefined")),
    ),
  ];
}

/** The requests in which these faults look for a disagreement: single ones that say by themselves who asks. */
export const isStamped = ({ method, json }: HttpRequestView): boolean =>
  method === "POST" && isObject(json) && json["id"] !== undefined && versionIn(json) !== undefined;

export const versionIn = (json: unknown): string | undefined => {
  const version = at(json, "params", "_meta", "io.modelcontextprotocol/protocolVersion");
  return typeof version === "string" ? version : undefined;
};

export const methodIn = (json: unknown): string | undefined => {
  const method = at(json, "method");
  return typeof method === "string" ? method : undefined;
};

// --- internal ---

/** Section basic/transports/streamable-http#server-validation: HeaderMismatch. */
const MISMATCH = -32020;

const UNSUPPORTED = -32022;

const errorOf = (json: unknown, code: number) => ({
  jsonrpc: "2.0",
  id: at(json, "id"),
  error: { code, message: "no", ...(code === UNSUPPORTED ? { data: { supported: [], requested: "" } } : {}) },
});
