import { misused } from "../../facts/misused.ts";
import { provoked } from "../../facts/provoked.ts";
import { defineCheck } from "../../model/define.ts";
import type { Transcript } from "../../model/exchange.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { fail, pass } from "../../model/outcome.ts";
import { count } from "../../text/count.ts";
import { internalAddresses, isLoopbackAddress, scopeOf } from "../../text/scan-address.ts";
import { errorTexts, provoke } from "./_error-texts.ts";

const unknown = (name: string, message: string, data?: unknown): Fault =>
  fault(name, (server) =>
    server.reply((reply, { method }) =>
      method.startsWith("nonexistent/")
        ? { jsonrpc: "2.0", id: reply.id, error: { code: -32601, message, ...(data === undefined ? {} : { data }) } }
        : reply,
    ),
  );

export default defineCheck({
  id: "security-error-no-internal-ip",
  title: "Error answers show no internal address",
  why: "An address of the network behind the server tells an attacker where to aim next, and helps no client.",
  fix: "Answer failures of backends with a message of your own, and keep addresses in the log.",
  snippet: [
    '<- {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"The search backend can\'t be reached."}],"isError":true}}',
  ],
  effect: "shared",
  uses: "http",
  needs: { provoked, misused },
  faults: [
    unknown("names a private address in error messages", "connect ECONNREFUSED 10.0.3.7:5432"),
    unknown("names a link-local address in error.data", "internal error", { upstream: "http://169.254.10.20/x" }),
    unknown("names a private IPv6 address in error messages", "no route to [fd12:3456:789a::1]:8080"),
    fault("answers an unknown tool with an isError result that names a private address", (server) =>
      server.reply((reply, { method }) =>
        method === "tools/call" && reply.error !== undefined
          ? {
              jsonrpc: "2.0",
              id: reply.id,
              result: {
                resultType: "complete",
                content: [{ type: "text", text: "no answer from 192.168.1.20" }],
                isError: true,
              },
            }
          : reply,
      ),
    ),
    fault(
      "names a private address in the bodies of HTTP errors",
      (server) =>
        server.http((plan, { method, json }) =>
          method === "POST" && json === undefined && plan.status === 400
            ? {
                ...plan,
                body: JSON.stringify({
                  jsonrpc: "2.0",
                  error: { code: -32700, message: "parse error at gateway 172.20.0.4" },
                }),
              }
            : plan,
        ),
      { on: "http" },
    ),
  ],
  run: ({ provoked, misused }, server) => provoke(server, [...provoked, ...misused]),
  review(transcript) {
    const { texts, read } = errorTexts(transcript);
    for (const { exchange, text } of texts) {
      const found = internalAddresses(text).find((address) => !isOurs(address, transcript));
      if (found !== undefined) {
        return fail("error answers without an internal address", `the address ${found}`, exchange);
      }
    }
    return pass(`no internal address in ${count(texts.length, "error")} among ${count(read, "message")}`);
  },
});

// --- internal ---

/** What the tester sent or where it asked comes back by right; on this machine, so does any loopback address. */
function isOurs(address: string, transcript: Transcript): boolean {
  const near = transcript.every(
    ({ sent: { http } }) => http === undefined || scopeOf(new URL(http.url).hostname) === "loopback",
  );
  if (near && isLoopbackAddress(address)) return true;
  return transcript.some(
    ({ sent: { text, http } }) =>
      text.includes(address) ||
      http?.url.includes(address) === true ||
      http?.headers.some(([, value]) => value.includes(address)) === true,
  );
}
