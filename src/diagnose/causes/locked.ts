import { type Exchange, header } from "../../model/exchange.ts";
import type { AuthorizationProblem } from "../_trail.ts";
import type { Cause } from "../cause.ts";
import type { HttpEvidence } from "../evidence.ts";
import { bestTalk } from "../progress.ts";

const AT = ["first message", "negotiation"] as const;

const PROBLEMS: Readonly<Record<AuthorizationProblem, { readonly headline: string; readonly mend: string }>> = {
  "no-challenge-no-metadata": {
    headline:
      "The server wants a credential (HTTP 401) and tells nobody where to get one: clients conclude that there is no OAuth here",
    mend: 'Send WWW-Authenticate: Bearer resource_metadata="…" with each 401, and serve that document. If it wants a key: give it by --auth or -H.',
  },
  "metadata-missing": {
    headline: "The server wants a credential, and its protected resource metadata is nowhere",
    mend: "Serve /.well-known/oauth-protected-resource with the endpoint's path behind it, without authentication, and name it in resource_metadata of the challenge. If it wants a key: give it by --auth or -H.",
  },
  "resource-mismatch": {
    headline:
      "The protected resource metadata is for another URL than the one in use, and strict clients then refuse to log in",
    mend: "Set resource to the URL as clients use it, path included (RFC 9728 section 3.3); use that URL, if it is the right one.",
  },
  "authorization-server-missing": {
    headline: "The protected resource metadata names no authorization server that could be used",
    mend: "Name at least one issuer in authorization_servers, as an https URL.",
  },
  "authorization-server-unreachable": {
    headline: "The authorization server that the metadata names has no metadata where clients look for it",
    mend: "Serve /.well-known/oauth-authorization-server (RFC 8414) or /.well-known/openid-configuration at the issuer, in the forms that the transcript shows; correct authorization_servers if it names the wrong issuer.",
  },
  "issuer-mismatch": {
    headline:
      "The authorization server's metadata names another issuer than the one that was asked, and clients must refuse it",
    mend: "Let issuer and the entry in authorization_servers be the same text (RFC 8414 section 3.3).",
  },
  "authorization-server-incomplete": {
    headline: "The authorization server's metadata lacks what clients need to log in",
    mend: "Add authorization_endpoint, token_endpoint and code_challenge_methods_supported with S256.",
  },
};

const status = (e: HttpEvidence): number => bestTalk(e)?.opened.exchange.http?.status ?? 0;
const parameter = (e: HttpEvidence, name: string): string | undefined =>
  e.authorization?.challenges.map(({ parameters }) => parameters[name]).find((each) => each !== undefined);

/** The server wants a credential: what keeps a client from getting in, as far as the documents tell. */
export const lockedCauses: readonly Cause<HttpEvidence>[] = [
  {
    id: "credential-refused-by-server",
    at: AT,
    mend: 'Get a new token, for this resource (its audience) and with the scopes that the challenge names; check that the whole value is given: --auth "Bearer …".',
    recognise(e) {
      if (e.authorization === undefined || !e.credential) return undefined;
      const error = parameter(e, "error");
      const scope = parameter(e, "scope");
      const meaning =
        error === "invalid_token"
          ? ": it is invalid or has expired"
          : error === "insufficient_scope"
            ? `: it lacks a scope${scope === undefined ? "" : ` (${scope})`}`
            : "";
      return `The server refuses the credential that was given (HTTP ${status(e)}${error === undefined ? "" : `, ${error}`})${meaning}`;
    },
  },
  ...Object.entries(PROBLEMS).map(
    ([id, { headline, mend }]): Cause<HttpEvidence> => ({
      id,
      at: AT,
      mend,
      recognise: (e) =>
        e.authorization?.problem?.id === id ? `${headline} (${e.authorization.problem.saw})` : undefined,
    }),
  ),
  {
    id: "locked",
    at: AT,
    mend: 'Give it one: --auth "Bearer $TOKEN", or -H "Name: value". The way to a token is in the transcript below.',
    recognise: (e) =>
      e.authorization === undefined
        ? undefined
        : `The server wants a credential (HTTP ${status(e)}), and a client can find out where to log in`,
  },
];

/** What browsers run into. */
export const browserTroubles: readonly Cause<HttpEvidence>[] = [
  {
    id: "preflight-locked",
    at: "passed",
    mend: "Answer OPTIONS without a credential: browsers never send one with it.",
    recognise: (e) =>
      e.variations.preflight?.http?.status === 401
        ? "The preflight request of browsers (OPTIONS) is answered with 401: a client in a browser fails to fetch"
        : undefined,
  },
  {
    id: "challenge-hidden-from-browsers",
    at: "passed",
    mend: "Send the CORS headers with a 401, too, and name WWW-Authenticate in Access-Control-Expose-Headers.",
    recognise(e) {
      const open = (exchange: Exchange | undefined) =>
        header(exchange?.http?.headers, "access-control-allow-origin") !== undefined;
      const hidden = e.withOrigin?.http?.status === 401 && !open(e.withOrigin);
      return hidden && open(e.variations.preflight)
        ? "The 401 has no CORS headers, although browsers are let in: a client in a browser can't read the challenge"
        : undefined;
    },
  },
  {
    id: "preflight-lacks-headers",
    at: "passed",
    mend: "Name Content-Type, Authorization, Mcp-Session-Id and MCP-Protocol-Version in Access-Control-Allow-Headers.",
    recognise(e) {
      const headers = e.variations.preflight?.http?.headers;
      const allowed = header(headers, "access-control-allow-headers")?.toLowerCase();
      if (
        allowed === undefined ||
        header(headers, "access-control-allow-origin") === undefined ||
        allowed.includes("*")
      )
        return undefined;
      const lacking = ["content-type", "mcp-protocol-version"].filter(
        (name) => !allowed.split(/[\s,]+/).includes(name),
      );
      return lacking.length === 0
        ? undefined
        : `Browsers are let in, but may not send ${lacking.join(" and ")}: a client in a browser fails to fetch`;
    },
  },
];
