import { opening } from "../../facts/opening.ts";
import type { Bendable } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import type { Exchange } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { at, isObject, kindOf } from "../../model/json.ts";
import { resultOf, rpcError } from "../../model/message.ts";
import { type Complaint, fail, pass } from "../../model/outcome.ts";
import type { Session } from "../../model/session.ts";
import { settled } from "../_refusal.ts";
import { own, pinned, withStatus } from "./_stamp.ts";

/** A version that nobody supports. */
const REQUESTED = "2099-01-01";
const UNSUPPORTED = -32022;

const SHAPE = { alsoFails: ["schema-wire-valid"] };

export default defineCheck({
  id: "lifecycle-version-unsupported",
  title: "A version that is not supported is refused with -32022 and the versions that are",
  why: "By this error a client finds the version both sides speak; without its data it can only give up, and a server that answers nevertheless does so in a form the client may not know.",
  fix: "Compare the protocolVersion of every request with what you support; else answer error -32022 with data { supported: [ … ], requested: the version that was sent } (over HTTP with status 400).",
  snippet: [
    "<- HTTP/1.1 400 Bad Request",
    '   {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"2099-01-01"}}}',
  ],
  effect: "own",
  needs: { opening },
  faults: [
    fault("serves every version", (server) => {
      server.rules.versions = false;
    }),
    fault(
      "refuses unsupported versions with -32602",
      refusal((error) => ({ ...error, code: -32602 })),
    ),
    fault(
      "refuses unsupported versions with a draft's -32004",
      refusal((error) => ({ ...error, code: -32004 })),
    ),
    fault(
      "refuses unsupported versions without data",
      refusal(({ data, ...error }) => error),
      SHAPE,
    ),
    fault("names no supported version in its refusal", data({ supported: [] })),
    fault("names only older versions in its refusal", data({ supported: ["2025-11-25"] })),
    fault("names the supported version as a text in its refusal", data({ supported: "2026-07-28" }), SHAPE),
    fault("leaves the requested version out of its refusal", data({ requested: undefined }), SHAPE),
    fault("names its own version as the requested one", data({ requested: "2026-07-28" })),
    fault(
      "refuses unsupported versions with HTTP 200",
      (server) => server.http((plan, { json }) => (isProbe(json) ? { ...plan, status: 200 } : plan)),
      { on: "http" },
    ),
    fault("never answers requests of an unsupported version", (server) =>
      server.reply((reply, { message }) => (isProbe(message) ? undefined : reply)),
    ),
  ],
  async run({ opening: { result, negotiated } }, server) {
    const exchange = await server.attributed(await asked(server), { codes: [UNSUPPORTED] });
    const status = exchange.http?.status;
    const error = rpcError(exchange.reply);
    if (error?.code !== UNSUPPORTED || (status !== undefined && status !== 400)) {
      const expected = `error ${UNSUPPORTED}${status === undefined ? "" : " (HTTP 400)"} for version ${REQUESTED}`;
      return fail(expected, withStatus(exchange), exchange);
    }
    const wrong = complaint(error.data, negotiated);
    if (wrong !== undefined) return fail(...wrong, exchange);
    return pass(`error ${UNSUPPORTED} with its data`, await midstream(server, result["capabilities"]), exchange);
  },
});

// --- internal ---

const asked = async (server: Session): Promise<Exchange> =>
  settled(await server.send("server/discover", { _meta: { [own("protocolVersion")]: REQUESTED } }));

function complaint(data: unknown, spoken: string): Complaint {
  const supported = at(data, "supported");
  const requested = at(data, "requested");
  if (!Array.isArray(supported)) return ["an array data.supported", kindOf(supported)];
  if (!supported.every((each) => typeof each === "string")) return ["strings in data.supported", "other values there"];
  if (!supported.includes(spoken)) {
    const named = supported.slice(0, 8).map((each) => String(each).slice(0, 40));
    return [`${spoken} in data.supported`, named.length === 0 ? "an empty array" : `only ${named.join(", ")}`];
  }
  if (requested === REQUESTED) return undefined;
  const actual = typeof requested === "string" ? JSON.stringify(requested.slice(0, 40)) : kindOf(requested);
  return [`"${REQUESTED}" as data.requested`, actual];
}

/** Each request counts by itself, whatever a process has served before. Told, and left to a row of its own. */
async function midstream(server: Session, capabilities: unknown): Promise<string | undefined> {
  if (server.transport !== "stdio") return undefined;
  await pinned(server, isObject(capabilities) ? capabilities : {});
  const served = resultOf((await asked(server)).reply) !== undefined;
  return served ? `once a request in another version was served, ${REQUESTED} is served as well` : undefined;
}

const isProbe = (json: unknown): boolean => at(json, "params", "_meta", own("protocolVersion")) === REQUESTED;

function refusal(how: (error: { readonly [key: string]: unknown }) => object): (server: Bendable) => void {
  return (server) =>
    server.reply((reply, { message }) =>
      isProbe(message) && isObject(reply.error) ? { ...reply, error: how(reply.error) } : reply,
    );
}

function data(members: object): (server: Bendable) => void {
  return refusal((error) => ({ ...error, data: { ...(isObject(error["data"]) ? error["data"] : {}), ...members } }));
}
