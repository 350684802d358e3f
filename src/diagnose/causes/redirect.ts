import type { Cause } from "../cause.ts";
import type { HttpEvidence } from "../evidence.ts";

const AT = ["first message", "negotiation"] as const;
const to = ({ hops }: HttpEvidence): URL | undefined => {
  const location = hops.at(-1)?.location;
  return location !== undefined && URL.canParse(location) ? new URL(location) : undefined;
};

/** The endpoint sends clients elsewhere. They don't follow, or they lose their credentials on the way. */
export const redirectCauses: readonly Cause<HttpEvidence>[] = [
  {
    id: "redirect-to-http",
    at: AT,
    mend: "Let the server know that it stands behind TLS (X-Forwarded-Proto, a trusted proxy), or serve both paths, with and without the slash, without a redirect.",
    recognise: (e) =>
      e.url.protocol === "https:" && to(e)?.protocol === "http:"
        ? `The server redirects from https to http (${to(e)?.href}): clients lose their credentials there, or refuse`
        : undefined,
  },
  {
    id: "redirect-loop",
    at: AT,
    mend: "Let one of the two answer.",
    recognise: (e) =>
      e.hops.length > 1 && e.hops.slice(0, -1).some(({ from }) => from === e.hops.at(-1)?.location)
        ? `The server redirects in a circle (${e.hops.map(({ location }) => location).join(", then ")})`
        : undefined,
  },
  {
    id: "redirect-to-endpoint",
    at: AT,
    mend: "Use that URL. For the server's author: serve the endpoint with and without the slash; many clients don't follow a redirect of a POST, or turn it into a GET.",
    recognise: (e) =>
      e.hops.at(-1)?.mcp === true
        ? {
            headline: `The URL redirects (HTTP ${e.hops[0]?.status}), and the MCP server is at ${to(e)?.href}`,
            mend: `Use ${to(e)?.href}. (For the server's author: serve both without a redirect; many clients don't follow one of a POST.)`,
          }
        : undefined,
  },
  {
    id: "redirect-to-https",
    at: AT,
    mend: "Use the URL with https://.",
    recognise: (e) =>
      e.url.protocol === "http:" && to(e)?.protocol === "https:" && to(e)?.hostname === e.url.hostname
        ? { headline: `The server wants https: it redirects to ${to(e)?.href}`, mend: `Use ${to(e)?.href}.` }
        : undefined,
  },
  {
    id: "redirect-to-login",
    at: AT,
    mend: "Answer programs with 401 and WWW-Authenticate in place of a login page, or give the credential that it wants (--auth, -H).",
    recognise: (e) =>
      /log-?in|sign-?in|auth|sso|oauth/i.test(to(e)?.href ?? "")
        ? `The server sends programs to a login page (HTTP ${e.hops[0]?.status} to ${to(e)?.href})`
        : undefined,
  },
  {
    id: "redirect",
    at: AT,
    mend: "If the endpoint has moved, use its new URL. It was not asked: it is on another origin, and credentials are never taken there.",
    recognise: (e) =>
      e.hops.length > 0
        ? `The URL redirects to ${e.hops.at(-1)?.location} (HTTP ${e.hops[0]?.status})${e.hops.at(-1)?.answer === undefined ? ", which is elsewhere and was not asked" : `, which gives ${e.hops.at(-1)?.answer}`}`
        : undefined,
  },
];
