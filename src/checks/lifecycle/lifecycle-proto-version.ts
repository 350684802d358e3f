import { opening } from "../../facts/opening.ts";
import type { Bendable } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at, kindOf } from "../../model/json.ts";
import { resultOf } from "../../model/message.ts";
import { fail, type Outcome, pass } from "../../model/outcome.ts";
import type { RawHttp, Server } from "../../model/session.ts";

const KNOWN = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const DATED = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const EXPECTED = "a protocolVersion that is a date, as 2025-11-25";

export default defineCheck({
  id: "lifecycle-proto-version",
  title: "initialize answers with a dated protocolVersion",
  why: "The client compares the text with the revisions it knows; one that it can't read ends the connection.",
  fix: 'Put the revision that you speak into protocolVersion, for example "2025-11-25", also where the client named none.',
  snippet: [
    '"result": { "protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": { "name": "x", "version": "1.0.0" } }',
  ],
  effect: "own",
  uses: "http",
  needs: { opening },
  faults: [
    fault("leaves protocolVersion out", (server) => server.drop("initialize", ["protocolVersion"]), {
      alsoFails: ["lifecycle-init", "lifecycle-version-negotiate"],
    }),
    fault("gives the version of its software for the protocol's", (server) => giving(server, "1.0.0"), {
      alsoFails: ["lifecycle-version-negotiate"],
    }),
    fault(
      "gives its protocolVersion as a number",
      (server) => server.put("initialize", ["protocolVersion"], 20251125),
      {
        alsoFails: ["lifecycle-version-negotiate"],
      },
    ),
    fault("names a day that does not exist", (server) => giving(server, "2025-13-45"), {
      alsoFails: ["lifecycle-version-negotiate"],
    }),
    fault(
      "answers a missing protocolVersion with a placeholder",
      (server) =>
        server.edit("initialize", (result, { params }) => {
          if (params["protocolVersion"] === undefined) result["protocolVersion"] = "%params/protocolVersion%";
        }),
      { on: "http" },
    ),
  ],
  async run({ opening: { exchange, result } }, server) {
    const version = result["protocolVersion"];
    if (typeof version !== "string" || !DATED.test(version)) return fail(EXPECTED, told(version), exchange);
    const unasked = server.transport === "http" ? await withoutVersion(server) : undefined;
    if (unasked !== undefined) return unasked;
    if (!KNOWN.includes(version)) return pass(version, `${version} is no published revision`, exchange);
    const note = version === KNOWN.at(-1) ? undefined : `${version} is older; rules that came later are not applied`;
    return pass(version, note, exchange);
  },
});

// --- internal ---

/** It takes its own word in the header of what follows. */
function giving(server: Bendable, version: string): void {
  server.put("initialize", ["protocolVersion"], version);
  server.rules.protocolHeader = false;
}

const told = (version: unknown): string =>
  typeof version === "string" ? JSON.stringify(version.slice(0, 60)) : kindOf(version);

/** A complaint about the answer to an initialize that names no revision. An error is a good answer. */
async function withoutVersion(server: Server & RawHttp): Promise<Outcome | undefined> {
  const id = server.unique();
  const params = { capabilities: {}, clientInfo: { name: "mcp-assay", version: "1" } };
  const body = JSON.stringify({ jsonrpc: "2.0", id, method: "initialize", params });
  const exchange = await server.http({ frame: "sessionless", body, id });
  const result = resultOf(exchange.reply);
  const version = at(result, "protocolVersion");
  if (result === undefined || (typeof version === "string" && DATED.test(version))) return undefined;
  return fail(`${EXPECTED}, where the client named none`, told(version), exchange);
}
