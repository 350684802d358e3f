import type { Authorization, Step } from "../model/diagnosis.ts";
import { type Exchange, type Header, header } from "../model/exchange.ts";
import { isObject } from "../model/json.ts";
import { scopeOf } from "../text/scan-address.ts";
import { challengesIn } from "./challenge.ts";

export type AuthorizationProblem =
  | "no-challenge-no-metadata"
  | "metadata-missing"
  | "resource-mismatch"
  | "authorization-server-missing"
  | "authorization-server-unreachable"
  | "issuer-mismatch"
  | "authorization-server-incomplete";

/** A GET without anything of the user's. */
export type Ask = (url: URL) => Promise<Exchange>;

/** Follows the path that a client takes from a 401 to the authorization server's metadata. */
export async function traceAuthorization(target: URL, refused: Exchange, get: Ask): Promise<Authorization> {
  const steps: Step[] = [];
  let problem: { readonly id: AuthorizationProblem; readonly saw: string } | undefined;
  const trouble = (id: AuthorizationProblem, saw: string) => {
    problem ??= { id, saw };
  };
  const end = (): Authorization => ({
    challenges,
    steps,
    ...(problem === undefined ? {} : { problem }),
  });

  const text = valuesOf(refused.http?.headers, "www-authenticate");
  const challenges = challengesIn(text);
  const bearer = challenges.find(({ scheme }) => scheme.toLowerCase() === "bearer");
  const named = bearer?.parameters["resource_metadata"];
  steps.push({
    what: `HTTP ${refused.http?.status ?? 0}: the challenge in WWW-Authenticate`,
    result: bearer === undefined ? "missing" : "ok",
    saw: text === "" ? "no WWW-Authenticate header" : text,
  });
  steps.push({
    what: "resource_metadata in the challenge (RFC 9728 section 5.1)",
    result: named === undefined ? "missing" : URL.canParse(named) ? "ok" : "wrong",
    saw: named ?? "the challenge names none: clients guess the well-known URLs",
  });

  const found = await findDocument();
  if (found === undefined) {
    // Servers of 2025-03-26 were their own authorization server.
    const own = await authorizationServer(target.origin, "the server's own origin, as in 2025-03-26");
    if (own === "found") return end();
    if (text === "")
      trouble("no-challenge-no-metadata", "neither a WWW-Authenticate header nor metadata at a well-known URL");
    else trouble("metadata-missing", "no protected resource metadata at any place that a client looks at");
    return end();
  }
  const { url, document } = found;
  const resource = document["resource"];
  const matches = typeof resource === "string" && sameResource(resource, target);
  steps.push({
    what: "resource names the URL that is used (RFC 9728 section 3.3)",
    result: matches ? "ok" : "wrong",
    saw: `resource ${shown(resource)}, used ${target.href}`,
  });
  if (!matches)
    trouble(
      "resource-mismatch",
      `the metadata at ${url} is for ${shown(resource)}, and the URL used is ${target.href}`,
    );
  const servers = document["authorization_servers"];
  const usable = Array.isArray(servers) ? servers.filter((each): each is string => typeof each === "string") : [];
  steps.push({
    what: "authorization_servers names at least one issuer",
    result: usable.length > 0 ? "ok" : "missing",
    saw: shown(servers),
  });
  if (usable.length === 0) trouble("authorization-server-missing", `authorization_servers is ${shown(servers)}`);
  for (const issuer of usable.slice(0, SERVERS)) await authorizationServer(issuer, "named by the metadata");
  return end();

  async function ask(url: URL, what: string): Promise<{ readonly [key: string]: unknown } | undefined> {
    const exchange = await get(url);
    const status = exchange.http?.status;
    const json = exchange.received[0]?.message;
    const document = status === 200 && isObject(json) ? json : undefined;
    const gone = status === 404 || status === 405 || status === 410;
    steps.push({
      what,
      result: document !== undefined ? "ok" : gone ? "missing" : "wrong",
      saw: `GET ${url.href}: ${document === undefined ? answerOf(exchange) : "a JSON document"}`,
    });
    return document;
  }

  async function findDocument() {
    const path = target.pathname.replace(/\/$/, "");
    const places = new Map<string, string>();
    if (named !== undefined && URL.canParse(named)) {
      if (new URL(named).origin === target.origin)
        places.set(new URL(named).href, "metadata at the URL of the challenge");
      else {
        steps.push({
          what: "metadata at the URL of the challenge",
          result: "not asked",
          saw: `${named} is on another origin than the target, and only the target's own is asked`,
        });
      }
    }
    for (const [place, what] of [
      [`${WELL_KNOWN}${path}`, "metadata at the well-known URL of the endpoint's path"],
      [WELL_KNOWN, "metadata at the well-known URL of the root"],
    ] as const) {
      const url = new URL(place, target.origin).href;
      if (!places.has(url)) places.set(url, what);
    }
    let first: { url: string; document: { readonly [key: string]: unknown } } | undefined;
    for (const [url, what] of places) {
      const document = await ask(new URL(url), what);
      if (document !== undefined) first ??= { url, document };
    }
    return first;
  }

  /** Looks for its metadata in the order of basic/authorization#authorization-server-metadata-discovery. */
  async function authorizationServer(issuer: string, why: string): Promise<"found" | "nothing"> {
    const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
    if (url === undefined || !mayAsk(url, target)) {
      steps.push({
        what: `the authorization server (${why})`,
        result: "not asked",
        saw: `${shown(issuer)} ${url === undefined ? "is no URL" : "is neither https nor as near as the target"}`,
      });
      if (url === undefined) trouble("authorization-server-missing", `the issuer ${shown(issuer)} is no URL`);
      return "nothing";
    }
    for (const place of variantsOf(url)) {
      const document = await ask(place, `metadata of the authorization server (${why})`);
      if (document === undefined) continue;
      judge(document, issuer);
      return "found";
    }
    if (why.startsWith("named")) {
      trouble("authorization-server-unreachable", `${issuer} has no metadata at any of its well-known URLs`);
    }
    return "nothing";
  }

  function judge(document: { readonly [key: string]: unknown }, issuer: string): void {
    const same =
      document["issuer"] === issuer ||
      String(document["issuer"]) === `${issuer}/` ||
      `${String(document["issuer"])}/` === issuer;
    steps.push({
      what: "issuer is the one that was asked (RFC 8414 section 3.3)",
      result: same ? "ok" : "wrong",
      saw: `issuer ${shown(document["issuer"])}, asked ${issuer}`,
    });
    if (!same)
      trouble("issuer-mismatch", `the metadata of ${issuer} says that its issuer is ${shown(document["issuer"])}`);
    const lacking = ["authorization_endpoint", "token_endpoint"].filter((name) => typeof document[name] !== "string");
    const pkce = document["code_challenge_methods_supported"];
    const s256 = Array.isArray(pkce) && pkce.includes("S256");
    steps.push({
      what: "endpoints, and PKCE with S256 (basic/authorization#authorization-code-protection)",
      result: lacking.length === 0 && s256 ? "ok" : "wrong",
      saw: `${lacking.length === 0 ? "both endpoints" : `no ${lacking.join(" and no ")}`}; code_challenge_methods_supported ${shown(pkce)}`,
    });
    if (lacking.length > 0)
      trouble("authorization-server-incomplete", `the metadata of ${issuer} has no ${lacking.join(" and no ")}`);
    else if (!s256) {
      trouble(
        "authorization-server-incomplete",
        `the metadata of ${issuer} does not say that it supports PKCE with S256, and clients must refuse to go on`,
      );
    }
    const byDocument = document["client_id_metadata_document_supported"] === true;
    const byRegistration = typeof document["registration_endpoint"] === "string";
    steps.push({
      what: "a way for an unknown client to get in (basic/authorization#client-registration-approaches)",
      result: byDocument || byRegistration ? "ok" : "missing",
      saw:
        [byDocument ? "client id metadata documents" : "", byRegistration ? "dynamic registration" : ""]
          .filter((each) => each !== "")
          .join(", ") ||
        "neither client id metadata documents nor a registration_endpoint: each client needs an id in advance",
    });
  }
}

/** The authorization server's metadata, where clients look for it. */
export function variantsOf(issuer: URL): readonly URL[] {
  const path = issuer.pathname.replace(/\/$/, "");
  const paths =
    path === ""
      ? ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"]
      : [
          `/.well-known/oauth-authorization-server${path}`,
          `/.well-known/openid-configuration${path}`,
          `${path}/.well-known/openid-configuration`,
        ];
  return paths.map((each) => new URL(each, issuer.origin));
}

// --- internal ---

const WELL_KNOWN = "/.well-known/oauth-protected-resource";
/** Authorization servers that are looked at. */
const SERVERS = 3;

/** A server may not send us into a network that it isn't in itself, nor onto an open line outside of it. */
function mayAsk(url: URL, target: URL): boolean {
  const scope = scopeOf(url.hostname);
  if (scope !== "public") return scopeOf(target.hostname) === scope && /^https?:$/.test(url.protocol);
  return url.protocol === "https:";
}

/** RFC 8707 section 2: a slash at the end says nothing here, and a resource may stand above the endpoint. */
function sameResource(resource: string, target: URL): boolean {
  if (!URL.canParse(resource)) return false;
  const url = new URL(resource);
  const path = url.pathname.replace(/\/+$/, "");
  const whole = target.pathname.replace(/\/+$/, "");
  const alias = scopeOf(url.hostname) === "loopback" && scopeOf(target.hostname) === "loopback";
  const origin =
    url.origin === target.origin || (alias && url.port === target.port && url.protocol === target.protocol);
  return origin && (whole === path || whole.startsWith(`${path}/`));
}

const valuesOf = (headers: readonly Header[] | undefined, name: string): string =>
  (headers ?? [])
    .filter(([key]) => key.toLowerCase() === name)
    .map(([, value]) => value)
    .join(", ");

const shown = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, 300);

function answerOf({ http, cause, end }: Exchange): string {
  if (http === undefined) return cause ?? end;
  const to = header(http.headers, "location");
  if (to !== undefined) return `HTTP ${http.status}, a redirect to ${to} (not followed)`;
  return http.status === 200 ? "HTTP 200, but no JSON object" : `HTTP ${http.status}`;
}
