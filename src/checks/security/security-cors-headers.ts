import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { type Exchange, type Header, header } from "../../model/exchange.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { fail, pass } from "../../model/outcome.ts";
import { again } from "./_again.ts";

const FOREIGN = "https://evil.example.com";

const reflecting = (name: string, methods: readonly string[]): Fault =>
  fault(name, (server) =>
    server.http((plan, { method, headers: { origin } }) =>
      origin === undefined || !methods.includes(method)
        ? plan
        : { ...plan, headers: [...plan.headers, ...credentialed(origin)] },
    ),
  );

export default defineCheck({
  id: "security-cors-headers",
  title: "Foreign origins get no credentialed CORS access",
  why: "A server that repeats any Origin and allows credentials lets every web page read its answers in the name of the visitor.",
  fix: "Send Access-Control-Allow-Origin with a fixed list of origins, or * without Access-Control-Allow-Credentials.",
  snippet: [
    'const ALLOWED = new Set(["https://app.example.com"]);',
    'if (ALLOWED.has(origin)) response.setHeader("Access-Control-Allow-Origin", origin).setHeader("Vary", "Origin");',
  ],
  effect: "shared",
  uses: "http",
  needs: { opening },
  faults: [
    reflecting("reflects any Origin with credentials", ["OPTIONS", "POST", "GET"]),
    reflecting("reflects any Origin with credentials in its answers to POST only", ["POST"]),
    fault("answers each preflight with the Origin and credentials", (server) =>
      server.gate(({ method, headers: { origin } }) =>
        method === "OPTIONS" && origin !== undefined
          ? { status: 204, headers: [...credentialed(origin), ["Access-Control-Allow-Headers", "*"]] }
          : undefined,
      ),
    ),
  ],
  async run(_, server) {
    const preflight = await server.http({
      method: "OPTIONS",
      frame: "none",
      set: {
        Origin: FOREIGN,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type,mcp-protocol-version,mcp-session-id",
      },
      headersOnly: true,
    });
    const known = await server.control();
    const id = server.unique();
    const posted = await server.http({ body: again(known, id), id, set: { Origin: FOREIGN } });
    await server.attributed(posted, { codes: "any" });
    const leak = [preflight, posted].find((exchange) => allowed(exchange) === FOREIGN && credentials(exchange));
    if (leak !== undefined) {
      return fail(
        "no credentialed access for a foreign origin",
        `Access-Control-Allow-Origin: ${FOREIGN} with Access-Control-Allow-Credentials: true (${leak.sent.http?.method})`,
        leak,
      );
    }
    const open = [preflight, posted].find((exchange) => ["*", FOREIGN].includes(allowed(exchange) ?? ""));
    if (open === undefined) return pass("no access for a foreign origin", undefined, posted, preflight);
    const how = allowed(open) === "*" ? "every origin is allowed (*)" : "the foreign origin is reflected";
    return pass(
      "no credentialed access for a foreign origin",
      credentials(open)
        ? `${how}, with credentials; browsers refuse that pair`
        : `${how}, without credentials: pages may read what needs no cookie`,
      open,
    );
  },
});

// --- internal ---

const credentialed = (origin: string): readonly Header[] => [
  ["Access-Control-Allow-Origin", origin],
  ["Access-Control-Allow-Credentials", "true"],
];

const allowed = ({ http }: Exchange): string | undefined =>
  header(http?.headers, "access-control-allow-origin")?.trim().toLowerCase();

const credentials = ({ http }: Exchange): boolean =>
  header(http?.headers, "access-control-allow-credentials")?.trim().toLowerCase() === "true";
