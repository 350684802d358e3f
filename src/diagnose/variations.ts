import type { Channel } from "../engine/channel.ts";
import type { Context } from "../engine/context.ts";
import type { Exchange } from "../model/exchange.ts";
import type { HttpInit } from "../model/session.ts";
import type { Variations } from "./evidence.ts";
import { SENDER } from "./talk.ts";

/** An Origin of a client that runs in a browser; nobody is ever asked there. */
export const BROWSER = "https://client.example";

/** Milliseconds. */
const BRIEF = 2000;

/** The headers with which a browser asks for a client whether it may. */
export const PREFLIGHT: Readonly<Record<string, string>> = {
  Origin: BROWSER,
  "Access-Control-Request-Method": "POST",
  "Access-Control-Request-Headers": "authorization,content-type,mcp-protocol-version,mcp-session-id",
};

/** Asks the same in the other ways that clients have, on a channel that is open. */
export async function varied(channel: Channel, context: Context): Promise<Variations> {
  const ask = async (set: Readonly<Record<string, string>>): Promise<Exchange> => {
    const id = context.id();
    const message = channel.stamp({ jsonrpc: "2.0", id, method: context.revision.control });
    return send({ set, body: JSON.stringify(message), id });
  };
  const send = (init: HttpInit): Promise<Exchange> => channel.http(SENDER, init).done;
  // A stream may be open without having sent its headers, which is no trouble worth a long wait.
  const timeout = Math.min(context.times.request, BRIEF);
  return {
    // The default of the clients of two platforms (Java, .NET).
    charset: await ask({ "Content-Type": "application/json; charset=utf-8" }),
    accept: await ask({ Accept: "text/event-stream, application/json" }),
    get: await send({ method: "GET", headersOnly: true, timeout }),
    preflight: await send({ method: "OPTIONS", frame: "none", headersOnly: true, set: PREFLIGHT, timeout }),
  };
}
