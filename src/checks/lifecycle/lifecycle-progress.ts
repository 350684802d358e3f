import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { pass } from "../../model/outcome.ts";
import { servedAfter, servedBefore } from "./_harmless.ts";

export default defineCheck({
  id: "lifecycle-progress",
  title: "A progress notification nobody asked for does no harm",
  why: "Clients report progress on requests of the server, and such a report may come after the server has forgotten the request.",
  fix: "Look the token of notifications/progress up and drop the notification where it is unknown, as any unknown notification.",
  snippet: [
    '-> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"unknown","progress":1}}',
    "<- (nothing; HTTP 202)",
  ],
  effect: "own",
  needs: { opening },
  faults: [
    fault("fails with 500 on progress that it did not ask for", (server) =>
      server.http((plan, { json }) =>
        at(json, "method") === "notifications/progress" ? { status: 500, headers: [] } : plan,
      ),
    ),
    fault("drops the session on progress that it did not ask for", (server) => {
      const dropped = new Set<string>();
      server.gate(({ headers, json }) => {
        const session = headers["mcp-session-id"] ?? "";
        if (dropped.has(session)) return { status: 404, headers: [] };
        if (at(json, "method") === "notifications/progress") dropped.add(session);
        return undefined;
      });
    }),
    fault("breaks the connection on progress that it did not ask for", (server) =>
      server.before("notifications/progress", ({ die }) => die()),
    ),
  ],
  async run(_, server) {
    const before = await servedBefore(server);
    const params = { progressToken: server.unique(), progress: 1, total: 2 };
    const sent = await server.attributed(await server.notify("notifications/progress", params));
    const silenced = await servedAfter(server, before, [sent]);
    if (silenced !== undefined) return silenced;
    const status = sent.http?.status ?? 202;
    const note = status >= 400 ? `the notification was answered with HTTP ${status}` : undefined;
    return pass("a session that goes on serving", note, sent);
  },
});
