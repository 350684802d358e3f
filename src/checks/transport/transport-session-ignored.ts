import { opening } from "../../facts/opening.ts";
import { survey } from "../../facts/survey.ts";
import type { Bendable } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { type Exchange, header } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { at, same } from "../../model/json.ts";
import { resultOf } from "../../model/message.ts";
import { fail, pass } from "../../model/outcome.ts";
import { count } from "../../text/count.ts";
import { jsonPage, onMethod, page } from "../_bends.ts";
import { isLegacy } from "../_heard.ts";
import { settled } from "../_refusal.ts";
import { sight } from "../_sight.ts";

const ID = "Mcp-Session-Id";
const UNKNOWN = "deadbeef";

export default defineCheck({
  id: "transport-session-ignored",
  title: "Mcp-Session-Id is ignored, never minted and never echoed",
  why: "This revision has no sessions; a server that still looks at the id refuses clients that send an old one, and one that mints it makes them keep it.",
  fix: "Don't read Mcp-Session-Id on requests of this revision, and send no such header in answers to them.",
  snippet: [
    "-> Mcp-Session-Id: from-an-older-server",
    "<- HTTP/1.1 200 OK (served as any other, with no Mcp-Session-Id header)",
  ],
  effect: "shared",
  uses: "http",
  needs: { opening, survey },
  faults: [
    fault("does not find a session in a revision without them", refusing(404)),
    fault("answers a session id with 400", refusing(400)),
    fault("answers a session id with 403", refusing(403)),
    fault("breaks down on a session id", (server) =>
      server.gate(({ headers }) => (headers["mcp-session-id"] === UNKNOWN ? page(500, "no such session") : undefined)),
    ),
    fault(
      "mints a session id when it is discovered",
      onMethod("server/discover", (plan) => ({ ...plan, headers: [...plan.headers, [ID, "f00d"]] })),
    ),
    fault(
      "mints a session id when it lists its tools",
      onMethod("tools/list", (plan) => ({ ...plan, headers: [...plan.headers, [ID, "f00d"]] })),
    ),
    fault("echoes a session id", (server) =>
      server.http((plan, { method, headers }) => {
        const id = headers["mcp-session-id"];
        return method === "POST" && id !== undefined ? { ...plan, headers: [...plan.headers, [ID, id]] } : plan;
      }),
    ),
    fault("discovers nothing to those who bring a session id", (server) => {
      const strangers = new Set<unknown>();
      server.incoming(({ "mcp-session-id": id }, { json }) => {
        if (id !== undefined) strangers.add(at(json, "id"));
      });
      server.edit("server/discover", (result, { message }) => {
        if (strangers.has(message.id)) result["capabilities"] = {};
      });
    }),
  ],
  async run({ opening }, server) {
    const message = server.compose();
    const id = String(at(message, "id"));
    const exchange = settled(
      await server.http({ body: JSON.stringify({ ...message, id }), set: { [ID]: UNKNOWN }, id }),
    );
    await server.attributed(exchange);
    const result = resultOf(exchange.reply);
    if (result === undefined) return fail(`a result beside ${ID}: ${UNKNOWN}`, sight(exchange), exchange);
    const odd = ["supportedVersions", "capabilities"].find(
      (member) => !same(at(result, member), at(opening.result, member)),
    );
    if (odd !== undefined) return fail("the same result with a session id", `other ${odd}`, exchange, opening.exchange);
    return pass(`served in the same way with ${ID}: ${UNKNOWN}`, undefined, exchange);
  },
  review(transcript) {
    const answers = transcript.filter(
      (exchange) => exchange.sent.http?.method === "POST" && exchange.http !== undefined && !isLegacy(exchange),
    );
    const found = answers.find((exchange) => minted(exchange) !== undefined);
    return found === undefined
      ? pass(`no ${ID} in ${count(answers.length, "answer")}`)
      : fail(`no ${ID} in an answer`, `${ID}: ${String(minted(found)).slice(0, 40)}`, found);
  },
});

// --- internal ---

const minted = ({ http }: Exchange): string | undefined => header(http?.headers, ID);

function refusing(status: number) {
  return (server: Bendable): void =>
    server.gate(({ headers, json }) =>
      headers["mcp-session-id"] === UNKNOWN
        ? jsonPage(status, { jsonrpc: "2.0", id: at(json, "id"), error: { code: -32001, message: "no such session" } })
        : undefined,
    );
}
