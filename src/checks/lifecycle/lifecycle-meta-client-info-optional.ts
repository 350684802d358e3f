import { opening } from "../../facts/opening.ts";
import type { Serving } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { resultOf } from "../../model/message.ts";
import { fail, pass } from "../../model/outcome.ts";
import { sight } from "../_sight.ts";
import { own, sendWithout } from "./_stamp.ts";

const MEMBER = "clientInfo";

export default defineCheck({
  id: "lifecycle-meta-client-info-optional",
  title: "A request whose _meta lacks clientInfo is served",
  why: "Clients need not say who they are; a server that insists on it is lost to all that don't.",
  fix: "Take io.modelcontextprotocol/clientInfo as optional: use it for logs, and serve requests without it as any other.",
  snippet: ['const client = params._meta["io.modelcontextprotocol/clientInfo"]?.name ?? "an unnamed client";'],
  effect: "shared",
  needs: { opening },
  faults: [
    fault("refuses requests without clientInfo", (server) => {
      server.rules.meta = ["protocolVersion", "clientCapabilities", MEMBER];
    }),
    fault("fails on requests without clientInfo", (server) =>
      server.reply((reply, { params }) =>
        isNameless(params)
          ? { jsonrpc: "2.0", id: reply.id, error: { code: -32603, message: "can't read name of undefined" } }
          : reply,
      ),
    ),
    fault(
      "turns requests without clientInfo away with HTTP 403",
      (server) =>
        server.gate(({ json }) =>
          at(json, "id") !== undefined && isNameless(at(json, "params")) ? { status: 403, headers: [] } : undefined,
        ),
      { on: "http" },
    ),
    fault("never answers requests without clientInfo", (server) =>
      server.reply((reply, { params }) => (isNameless(params) ? undefined : reply)),
    ),
    fault("exits on a request without clientInfo", (server) => server.before("server/discover", exit), {
      on: "stdio",
    }),
  ],
  async run(_, server) {
    const exchange = await server.attributed(await sendWithout(server, MEMBER), { codes: "any" });
    const served = resultOf(exchange.reply) !== undefined && (exchange.http?.status ?? 200) < 400;
    return served
      ? pass("a result", undefined, exchange)
      : fail("a result for a request without clientInfo", sight(exchange), exchange);
  },
});

// --- internal ---

const isNameless = (params: unknown): boolean =>
  at(params, "_meta", own("protocolVersion")) !== undefined &&
  at(params, "_meta", own("clientCapabilities")) !== undefined &&
  at(params, "_meta", own(MEMBER)) === undefined;

const exit = ({ params, die }: Serving): void => (isNameless(params) ? die() : undefined);
