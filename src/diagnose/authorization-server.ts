import { scopeOf } from "../text/scan-address.ts";
import { type Document, shown, type Trail } from "./_trail.ts";

/**
 * Looks for an authorization server's metadata in the order of
 * basic/authorization#authorization-server-metadata-discovery, and says whether clients can work with it.
 * `named`: the protected resource metadata names it, so that its absence is a trouble.
 */
export async function findAuthorizationServer(trail: Trail, issuer: string, named: boolean): Promise<boolean> {
  const why = named ? "named by the metadata" : "the server's own origin, as in 2025-03-26";
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  if (url === undefined || !mayAsk(url, trail.target)) {
    const reason = url === undefined ? "is no URL" : "is neither https nor as near as the target";
    trail.step(`the authorization server (${why})`, "not asked", `${shown(issuer)} ${reason}`);
    if (url === undefined) trail.trouble("authorization-server-missing", `the issuer ${shown(issuer)} is no URL`);
    return false;
  }
  for (const place of variantsOf(url)) {
    const document = await trail.ask(place, `metadata of the authorization server (${why})`);
    if (document === undefined) continue;
    judge(trail, document, issuer);
    return true;
  }
  if (named)
    trail.trouble("authorization-server-unreachable", `${issuer} has no metadata at any of its well-known URLs`);
  return false;
}

/** The places of the metadata, in the order in which clients try them. */
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

/** A server may not send us into a network that it isn't in itself, nor onto an open line outside of it. */
function mayAsk(url: URL, target: URL): boolean {
  const scope = scopeOf(url.hostname);
  if (scope !== "public") return scopeOf(target.hostname) === scope && /^https?:$/.test(url.protocol);
  return url.protocol === "https:";
}

function judge(trail: Trail, document: Document, issuer: string): void {
  const said = document["issuer"];
  // A slash at the end is forgiven, as most clients do.
  const same = typeof said === "string" && said.replace(/\/$/, "") === issuer.replace(/\/$/, "");
  trail.step(
    "issuer is the one that was asked (RFC 8414 section 3.3)",
    same ? "ok" : "wrong",
    `issuer ${shown(said)}, asked ${issuer}`,
  );
  if (!same) trail.trouble("issuer-mismatch", `the metadata of ${issuer} says that its issuer is ${shown(said)}`);
  const lacking = ["authorization_endpoint", "token_endpoint"].filter((name) => typeof document[name] !== "string");
  const pkce = document["code_challenge_methods_supported"];
  const s256 = Array.isArray(pkce) && pkce.includes("S256");
  const missing = `no ${lacking.join(" and no ")}`;
  trail.step(
    "endpoints, and PKCE with S256 (basic/authorization#authorization-code-protection)",
    lacking.length === 0 && s256 ? "ok" : "wrong",
    `${lacking.length === 0 ? "both endpoints" : missing}; code_challenge_methods_supported ${shown(pkce)}`,
  );
  if (lacking.length > 0) trail.trouble("authorization-server-incomplete", `the metadata of ${issuer} has ${missing}`);
  if (!s256) {
    const refuse = "does not say that it supports PKCE with S256, and clients must refuse to go on";
    trail.trouble("authorization-server-incomplete", `the metadata of ${issuer} ${refuse}`);
  }
  const ways = [
    ...(document["client_id_metadata_document_supported"] === true ? ["client id metadata documents"] : []),
    ...(typeof document["registration_endpoint"] === "string" ? ["dynamic registration"] : []),
  ];
  trail.step(
    "a way for an unknown client to get in (basic/authorization#client-registration-approaches)",
    ways.length > 0 ? "ok" : "missing",
    ways.join(", ") ||
      "neither client id metadata documents nor a registration_endpoint: each client needs an id in advance",
  );
}
