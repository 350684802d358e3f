import type { Opening } from "../../facts/opening.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { fail, type Outcome, pass, skipped } from "../../model/outcome.ts";
import type { HttpInit, RawHttp, Server } from "../../model/session.ts";
import { errorPage, onHttp, page } from "../_bends.ts";
import { sight } from "../_sight.ts";
import { legacySide } from "./_legacy.ts";

/** Judges an HTTP method that only older revisions know: 405, unless the server speaks one of those as well. */
export async function removed(
  opening: Opening,
  server: Server & RawHttp,
  init: HttpInit & { readonly method: string },
): Promise<Outcome> {
  const exchange = await server.http({ ...init, headersOnly: true });
  if (exchange.http?.status === 405) return pass(`HTTP 405 to ${init.method}`, undefined, exchange);
  const older = await legacySide(opening, server);
  if (older !== undefined) return skipped(`dual-era, since ${older}: ${init.method} is legal in its older revisions`);
  await server.attributed(exchange);
  const status = exchange.http?.status;
  return fail(`HTTP 405 to ${init.method}`, status === undefined ? sight(exchange) : `HTTP ${status}`, exchange);
}

/** The other answers that servers give to it. */
export function removedFaults(method: string, served: ReturnType<typeof page>): readonly [Fault, ...Fault[]] {
  return [
    fault(`still serves ${method}`, onHttp(method, served)),
    fault(`knows no ${method} on its endpoint and answers 404`, onHttp(method, page(404, "Cannot find /mcp"))),
    fault(`wants a session id for the ${method} that is gone`, onHttp(method, errorPage(400, -32000))),
    fault(`answers the ${method} that is gone with 501`, onHttp(method, page(501, "", ""))),
    fault(`answers the ${method} that is gone with 200 and JSON`, onHttp(method, errorPage(200, -32000))),
  ];
}
