import { opened } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { isObject } from "../../model/json.ts";
import { blocked, fail, pass, skipped } from "../../model/outcome.ts";
import { count } from "../../text/count.ts";
import { oneLine } from "../../text/escape.ts";
import { statusOf } from "./_again.ts";
import { openingWithout } from "./_auth.ts";
import { findMetadata, sameHost } from "./_metadata.ts";

const documents = (name: string, change: (document: { [key: string]: unknown }) => unknown): Fault =>
  fault(
    name,
    (server) =>
      server.http((plan, { path }) => {
        const document: unknown = path.startsWith("/.well-known/") ? JSON.parse(plan.body ?? "null") : undefined;
        return isObject(document) ? { ...plan, body: JSON.stringify(change({ ...document })) } : plan;
      }),
    { world: { locked: true } },
  );
const locked = { world: { locked: true } };

export default defineCheck({
  id: "security-oauth-metadata",
  title: "Protected resource metadata names the resource and an authorization server",
  why: "Clients learn from this document where to log in, and refuse one that was written for another resource.",
  fix: "Serve a JSON document with resource (the URL of your endpoint as clients use it) and authorization_servers (at least one issuer), without authentication.",
  snippet: [
    "-> GET /.well-known/oauth-protected-resource/mcp",
    '<- {"resource":"https://example.com/mcp","authorization_servers":["https://login.example.com"]}',
  ],
  effect: "own",
  uses: "http",
  needs: { opened },
  faults: [
    fault(
      "names metadata that is not there",
      (server) =>
        server.http((plan, { path }) => (path.startsWith("/.well-known/") ? { status: 404, headers: [] } : plan)),
      locked,
    ),
    fault(
      "wants a token for its metadata",
      (server) =>
        server.http((plan, { path }) =>
          path.startsWith("/.well-known/") ? { status: 401, headers: [["WWW-Authenticate", "Bearer"]] } : plan,
        ),
      locked,
    ),
    fault(
      "answers for its metadata with a web page",
      (server) =>
        server.http((plan, { path }) =>
          path.startsWith("/.well-known/")
            ? { status: 200, headers: [["Content-Type", "text/html"]], body: "<h1>Notes</h1>" }
            : plan,
        ),
      locked,
    ),
    documents("names no authorization server", (document) => ({ ...document, authorization_servers: [] })),
    documents("leaves out authorization_servers", ({ authorization_servers: _, ...rest }) => rest),
    documents("gives authorization_servers as a string", (document) => ({
      ...document,
      authorization_servers: String(document["resource"]),
    })),
    documents("leaves out resource", ({ resource: _, ...rest }) => rest),
    documents("names a resource of another origin", (document) => ({
      ...document,
      resource: "https://mcp.example.com/mcp",
    })),
    documents("names a resource of another path", (document) => ({
      ...document,
      resource: String(document["resource"]).replace("/mcp", "/sse"),
    })),
  ],
  async run({ opened }, server) {
    const refused = await openingWithout(server, opened);
    if (statusOf(refused) !== 401) {
      if (opened.refusal !== undefined) return blocked(opened.refusal, "opening", opened.exchange);
      return skipped("the server requires no authorization: no 401 was seen");
    }
    const { exchange, document, named, elsewhere } = await findMetadata(server, refused);
    if (elsewhere !== undefined) {
      return skipped(`the metadata is at ${oneLine(elsewhere, 80)}, another host, which is not asked`);
    }
    if (document === undefined) {
      const where = named === undefined ? "no well-known URI" : "not at the URL of the challenge";
      const status = exchange === undefined ? "" : ` (HTTP ${statusOf(exchange)})`;
      return fail("protected resource metadata in JSON", `none: ${where}${status}`, exchange, refused);
    }
    const { authorization_servers: servers, resource } = document;
    if (!Array.isArray(servers) || servers.length === 0 || !servers.every(isUrl)) {
      return fail("authorization_servers with at least one URL", shown(servers), exchange);
    }
    const target = server.target.url;
    const url = typeof resource === "string" && URL.canParse(resource) ? new URL(resource) : null;
    if (url === null || target === undefined)
      return fail("resource with the URL of the server", shown(resource), exchange);
    const alias = url.origin !== target.origin;
    if (alias && !(url.protocol === target.protocol && sameHost(url, target))) {
      return fail(`resource with the origin ${target.origin}`, shown(url.origin), exchange);
    }
    if (!covers(url.pathname, target.pathname)) {
      return fail(`resource with a path that covers ${target.pathname}`, shown(url.pathname), exchange);
    }
    const note = alias ? `resource names this machine as ${url.host}, not as ${target.host}` : undefined;
    return pass(
      `resource ${oneLine(url.href, 80)} and ${count(servers.length, "authorization server")}`,
      note,
      exchange,
    );
  },
});

// --- internal ---

const isUrl = (value: unknown): boolean => typeof value === "string" && URL.canParse(value);

const shown = (value: unknown): string => oneLine(JSON.stringify(value) ?? "nothing", 80);

/** Whether a path is the other's or stands above it (RFC 9728 section 3.3; a slash at the end says nothing). */
function covers(path: string, of: string): boolean {
  const above = path.replace(/\/+$/, "");
  const whole = of.replace(/\/+$/, "");
  return whole === above || whole.startsWith(`${above}/`);
}
