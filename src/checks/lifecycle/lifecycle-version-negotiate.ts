import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { resultOf, rpcError } from "../../model/message.ts";
import { fail, type Outcome, pass, worst } from "../../model/outcome.ts";
import type { Server } from "../../model/session.ts";

export default defineCheck({
  id: "lifecycle-version-negotiate",
  title: "An unknown revision is answered with one that the server supports",
  why: "Clients newer than the server ask for a revision it has never heard of; the answer decides whether they can talk.",
  fix: "If you don't support the protocolVersion asked for, answer with the latest one that you do support.",
  effect: "own",
  needs: { opening },
  faults: [
    fault("echoes whatever revision it is asked for", (server) =>
      server.edit("initialize", (result, { params }) => {
        result["protocolVersion"] = params["protocolVersion"];
      }),
    ),
    fault("refuses an unknown revision without saying what it supports", (server) =>
      server.reply((reply, { method, params }) =>
        method === "initialize" && params["protocolVersion"] === "2099-01-01"
          ? { jsonrpc: "2.0", id: reply.id, error: { code: -32602, message: "unsupported protocol version" } }
          : reply,
      ),
    ),
    fault("does not give back the revision it offered itself", (server) =>
      server.edit("initialize", (result, { params }) => {
        if (params["protocolVersion"] === "2099-01-01") result["protocolVersion"] = "2025-06-18";
        else if (params["protocolVersion"] === "2025-06-18") result["protocolVersion"] = "2025-03-26";
      }),
    ),
    fault(
      "exits when asked for an unknown revision",
      (server) =>
        server.before("initialize", ({ params, die }) => {
          if (params["protocolVersion"] === "2099-01-01") die();
        }),
      { on: "stdio" },
    ),
  ],
  async run(_, server) {
    return worst(await ask(server, "2099-01-01"), await ask(server, "1.0"));
  },
});

// --- internal ---

/** One fresh session asked for a revision that does not exist, and what it offers asked for again. */
async function ask(server: Server, protocolVersion: string): Promise<Outcome> {
  const fresh = await server.open({ protocolVersion, initialized: false });
  const { exchange } = await fresh.opened();
  await server.attributed(exchange, { codes: "any", sibling: server.control });
  const offered = at(resultOf(exchange.reply), "protocolVersion");
  const error = rpcError(exchange.reply);
  if (error !== undefined) {
    const supported = at(error.data, "supported");
    return Array.isArray(supported)
      ? pass(
          `error ${error.code} with the supported revisions`,
          `${protocolVersion} is refused by an error, as the page's example does`,
          exchange,
        )
      : fail("another revision, or an error that names those supported", `error ${error.code} without them`, exchange);
  }
  if (typeof offered !== "string") return fail("a revision that the server supports", "no protocolVersion", exchange);
  if (offered === protocolVersion)
    return fail("a revision that the server supports", `${offered}, which does not exist`, exchange);
  const again = await server.open({ protocolVersion: offered, initialized: false });
  const second = await again.opened();
  const given = at(resultOf(second.exchange.reply), "protocolVersion");
  return given === offered
    ? pass(`${offered} offered for ${protocolVersion}, and given when asked for`, undefined, exchange)
    : fail(`${offered} when asked for the ${offered} it offered`, JSON.stringify(given) ?? "nothing", second.exchange);
}
