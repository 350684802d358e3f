import type { Authorization } from "../model/diagnosis.ts";
import type { Exchange, Header } from "../model/exchange.ts";
import { scopeOf } from "../text/scan-address.ts";
import { type Ask, createTrail, type Document, shown, type Trail } from "./_trail.ts";
import { findAuthorizationServer } from "./authorization-server.ts";
import { challengesIn } from "./challenge.ts";

/** Follows the path that a client takes from a 401 to the authorization server's metadata. */
export async function traceAuthorization(target: URL, refused: Exchange, get: Ask): Promise<Authorization> {
  const trail = createTrail(target, get);
  const text = valuesOf(refused.http?.headers, "www-authenticate");
  const challenges = challengesIn(text);
  const bearer = challenges.find(({ scheme }) => scheme.toLowerCase() === "bearer");
  const named = bearer?.parameters["resource_metadata"];
  trail.step(
    `HTTP ${refused.http?.status ?? 0}: the challenge in WWW-Authenticate`,
    bearer === undefined ? "missing" : "ok",
    text === "" ? "no WWW-Authenticate header" : text,
  );
  trail.step(
    "resource_metadata in the challenge (RFC 9728 section 5.1)",
    named === undefined ? "missing" : URL.canParse(named) ? "ok" : "wrong",
    named ?? "the challenge names none: clients guess the well-known URLs",
  );
  const found = await findResource(trail, named);
  if (found !== undefined) await followResource(trail, found.url, found.document);
  // Servers of 2025-03-26 were their own authorization server.
  else if (!(await findAuthorizationServer(trail, target.origin, false))) {
    if (text !== "")
      trail.trouble("metadata-missing", "no protected resource metadata at any place that a client looks at");
    else
      trail.trouble("no-challenge-no-metadata", "neither a WWW-Authenticate header nor metadata at a well-known URL");
  }
  return trail.end(challenges);
}

// --- internal ---

const WELL_KNOWN = "/.well-known/oauth-protected-resource";
/** Authorization servers that are looked at. */
const SERVERS = 3;

/** Looks for the protected resource metadata in all of its places; the first is what a client uses. */
async function findResource(trail: Trail, named: string | undefined) {
  const { origin, pathname } = trail.target;
  const places = new Map<string, string>();
  if (named !== undefined && URL.canParse(named)) {
    const what = "metadata at the URL of the challenge";
    if (new URL(named).origin === origin) places.set(new URL(named).href, what);
    else
      trail.step(
        what,
        "not asked",
        `${named} is on another origin than the target, and only the target's own is asked`,
      );
  }
  for (const [place, what] of [
    [`${WELL_KNOWN}${pathname.replace(/\/$/, "")}`, "metadata at the well-known URL of the endpoint's path"],
    [WELL_KNOWN, "metadata at the well-known URL of the root"],
  ] as const) {
    const url = new URL(place, origin).href;
    if (!places.has(url)) places.set(url, what);
  }
  let first: { readonly url: string; readonly document: Document } | undefined;
  for (const [url, what] of places) {
    const document = await trail.ask(new URL(url), what);
    if (document !== undefined) first ??= { url, document };
  }
  return first;
}

async function followResource(trail: Trail, url: string, document: Document): Promise<void> {
  const { target } = trail;
  const { resource, authorization_servers: servers } = document;
  const matches = typeof resource === "string" && sameResource(resource, target);
  trail.step(
    "resource names the URL that is used (RFC 9728 section 3.3)",
    matches ? "ok" : "wrong",
    `resource ${shown(resource)}, used ${target.href}`,
  );
  if (!matches) {
    trail.trouble(
      "resource-mismatch",
      `the metadata at ${url} is for ${shown(resource)}, and the URL used is ${target.href}`,
    );
  }
  const usable = Array.isArray(servers) ? servers.filter((each): each is string => typeof each === "string") : [];
  trail.step("authorization_servers names at least one issuer", usable.length > 0 ? "ok" : "missing", shown(servers));
  if (usable.length === 0) trail.trouble("authorization-server-missing", `authorization_servers is ${shown(servers)}`);
  for (const issuer of usable.slice(0, SERVERS)) await findAuthorizationServer(trail, issuer, true);
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
