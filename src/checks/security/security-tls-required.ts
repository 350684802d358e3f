import { opened } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { type Exchange, header } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { fail, type Outcome, pass, skipped } from "../../model/outcome.ts";
import { scopeOf } from "../../text/scan-address.ts";
import { isServed, likeBefore, statusOf } from "./_again.ts";

export default defineCheck({
  id: "security-tls-required",
  title: "The endpoint is not served over plain http on a public host",
  why: "On plain http anybody on the way reads the token and the answers, and may change both.",
  fix: "Serve the endpoint over https, and let port 80 redirect to it or stay closed.",
  snippet: [
    "server { listen 80; return 301 https://$host$request_uri; }",
    "server { listen 443 ssl; location /mcp { proxy_pass http://127.0.0.1:3000; } }",
  ],
  effect: "own",
  uses: "http",
  needs: { opened },
  faults: [
    // The defect is where the server stands, not what it does.
    fault("serves plain http on a public host", () => {}, { world: { host: "mcp.example.com" } }),
  ],
  async run({ opened }, server) {
    const { url } = server.target;
    const scope = url === undefined ? "loopback" : scopeOf(url.hostname);
    if (url === undefined || scope !== "public") {
      return skipped(`the server is on a ${scope} address: TLS is for hosts that others can reach`);
    }
    if (url.protocol === "http:") {
      const { exchange } = opened;
      if (exchange.http === undefined) await server.attributed(exchange);
      return judged(exchange);
    }
    const plain = new URL(url.href);
    plain.protocol = "http:";
    plain.port = "";
    const { set, ...init } = likeBefore(opened.exchange, server.unique());
    // Nothing of the user's goes over the open line.
    const ours = Object.entries(set ?? {}).filter(([name]) => /^(?:content-type|accept|mcp-)/i.test(name));
    const exchange = await server.http({ ...init, set: Object.fromEntries(ours), url: plain.href, once: true });
    return exchange.http === undefined
      ? pass(`no answer over http (${exchange.cause ?? exchange.end})`, undefined, exchange)
      : judged(exchange);
  },
});

// --- internal ---

function judged(exchange: Exchange): Outcome {
  const status = statusOf(exchange);
  if (isServed(exchange))
    return fail("no MCP over plain http on a public host", `the opening served (HTTP ${status})`, exchange);
  if (status < 300 || status >= 500) return pass(`HTTP ${status} without MCP over http`, undefined, exchange);
  const to = header(exchange.http?.headers, "location");
  const secure = status >= 400 || to?.toLowerCase().startsWith("https:") === true;
  const note = secure ? undefined : "a redirect over http to somewhere that is not https";
  return pass(status >= 400 ? `HTTP ${status} over http` : `a redirect (HTTP ${status})`, note, exchange);
}
