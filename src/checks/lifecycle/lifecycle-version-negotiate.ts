import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { resultOf, rpcError } from "../../model/message.ts";
import { blocked, fail, type Outcome, pass, worst } from "../../model/outcome.ts";
import type { Server } from "../../model/session.ts";
import { sight } from "../_sight.ts";

const NAMED: readonly string[] = ["2025-11-25", "2025-06-18"];

export default defineCheck({
  id: "lifecycle-version-negotiate",
  title: "An unknown revision is answered with one that the server supports",
  why: "Clients newer than the server ask for a revision it has never heard of; the answer decides whether they can talk.",
  fix: "If you don't support the protocolVersion asked for, answer with the latest one that you do support.",
  snippet: [
    '-> "params": { "protocolVersion": "2099-01-01", … }',
    '<- "result": { "protocolVersion": "2025-11-25", … }',
  ],
  effect: "own",
  needs: { opening },
  faults: [
    fault(
      "echoes whatever revision it is asked for",
      (server) =>
        server.edit("initialize", (result, { params }) => {
          result["protocolVersion"] = params["protocolVersion"];
        }),
      { alsoFails: ["lifecycle-proto-version"] },
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
    fault("names the older revisions that it supports, and gives the newest to whoever asks for them", (server) => {
      server.edit("initialize", (result) => {
        result["protocolVersion"] = "2025-11-25";
      });
      server.reply((reply, { method, params }) =>
        method === "initialize" && !NAMED.includes(String(params["protocolVersion"]))
          ? {
              jsonrpc: "2.0",
              id: reply.id,
              error: { code: -32602, message: "unsupported protocol version", data: { supported: NAMED } },
            }
          : reply,
      );
    }),
    fault("offers a revision that is no date", (server) =>
      server.edit("initialize", (result, { params }) => {
        if (params["protocolVersion"] === "1.0") result["protocolVersion"] = "2.0";
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

const DATED = /^\d{4}-\d\d-\d\d$/;

/** One fresh session asked for a revision that does not exist, and what it offers asked for again. */
async function ask(server: Server, protocolVersion: string): Promise<Outcome> {
  const fresh = await server.open({ protocolVersion, initialized: false });
  const { exchange } = await fresh.opened();
  const error = rpcError(exchange.reply);
  if (resultOf(exchange.reply) === undefined && !Array.isArray(at(error?.data, "supported"))) {
    const full = await noSecond(server);
    if (full !== undefined) return full;
  }
  await server.attributed(exchange, { codes: "any", sibling: server.control });
  if (error !== undefined) {
    const supported = at(error.data, "supported");
    if (!Array.isArray(supported)) {
      return fail(
        "another revision, or an error that names those supported",
        `error ${error.code} without them`,
        exchange,
      );
    }
    const named = supported.filter((each) => typeof each === "string" && DATED.test(each));
    for (const each of named) {
      const wrong = await notGiven(server, String(each));
      if (wrong !== undefined) return wrong;
    }
    const note = `${protocolVersion} is refused by an error, as the page's example does`;
    return pass(`error ${error.code} with the supported revisions`, note, exchange);
  }
  const offered = at(resultOf(exchange.reply), "protocolVersion");
  const expected = "a revision that the server supports";
  if (typeof offered !== "string") return fail(expected, "no protocolVersion", exchange);
  if (offered === protocolVersion) return fail(expected, `${offered}, which does not exist`, exchange);
  if (!DATED.test(offered)) return fail(expected, JSON.stringify(offered.slice(0, 60)), exchange);
  return (
    (await notGiven(server, offered)) ??
    pass(`${offered} offered for ${protocolVersion}, and given when asked for`, undefined, exchange)
  );
}

/** That nobody can open a second session, whatever revision they ask for: then a refusal says nothing of revisions. */
async function noSecond(server: Server): Promise<Outcome | undefined> {
  const { exchange, refusal } = await (await server.open({ initialized: false })).opened();
  if (refusal === undefined) return undefined;
  return blocked(`a further session can't be opened with any revision: ${refusal}`, "opening", exchange);
}

/** A complaint if a revision that the server named itself is not what a client gets that asks for it. */
async function notGiven(server: Server, version: string): Promise<Outcome | undefined> {
  const again = await server.open({ protocolVersion: version, initialized: false });
  const { exchange } = await again.opened();
  await server.attributed(exchange, { codes: "any", sibling: server.control });
  const given = at(resultOf(exchange.reply), "protocolVersion");
  if (given === version) return undefined;
  const actual = (JSON.stringify(given) ?? sight(exchange)).slice(0, 80);
  return fail(`${version} when asked for the ${version} it named`, actual, exchange);
}
