import { opened } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { header } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { fail, pass, skipped } from "../../model/outcome.ts";
import { isClientError, statusOf } from "./_again.ts";
import { attributedRefusal, incomparable, openingWith, outcomeOf } from "./_auth.ts";

export default defineCheck({
  id: "security-token-in-uri",
  title: "A token in the query string is not honoured",
  why: "URLs end up in logs, histories and Referer headers, and the token with them; a server that takes it there invites that.",
  fix: "Read the token from the Authorization header only, and ignore access_token in the query.",
  snippet: ['const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1]; // never url.searchParams'],
  effect: "own",
  uses: "http",
  needs: { opened },
  faults: [
    fault(
      "takes the token from the query string",
      (server) => {
        server.rules.queryToken = true;
      },
      { world: { auth: true } },
    ),
    fault(
      "answers a token in the query with an error and status 200",
      (server) => server.http((plan, { query }) => (query.has("access_token") ? { ...plan, status: 200 } : plan)),
      { world: { auth: true } },
    ),
  ],
  async run({ opened }, server) {
    const reason = await incomparable(server, opened);
    if (reason !== undefined) return reason;
    const given = header(opened.exchange.sent.http?.headers, "authorization") ?? "";
    const token = /^bearer\s+(\S+)\s*$/i.exec(given)?.[1];
    if (token === undefined) return skipped("the given credential is no bearer token");
    const url = new URL(server.target.url?.href ?? "");
    url.searchParams.append("access_token", token);
    const exchange = await openingWith(server, opened, undefined, { url: url.href });
    const status = statusOf(exchange);
    if (status === 401) return pass("HTTP 401", undefined, exchange);
    await attributedRefusal(server, exchange);
    if (isClientError(exchange)) return pass(`HTTP ${status}`, "refused, though not with 401", exchange);
    return fail("HTTP 401 to a token in the query string", outcomeOf(exchange), exchange);
  },
});
