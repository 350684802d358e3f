import type { Exchange } from "../../model/exchange.ts";
import { rpcError } from "../../model/message.ts";
import type { Cause } from "../cause.ts";
import type { HttpEvidence } from "../evidence.ts";
import { isMessage } from "../talk.ts";
import { AT, bodyOf, exchangeOf, headerOf, isPage, statusOf } from "./_answer.ts";

/** Something before the server answers, or refuses: a gateway, a tunnel, a guard. */
export const gatewayCauses: readonly Cause<HttpEvidence>[] = [
  {
    id: "gateway-down",
    at: AT,
    mend: "Start the server, and let the gateway find it: its address, its port, its health check. Look at the gateway's log.",
    recognise: (e) =>
      [502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 530].includes(statusOf(e))
        ? `A gateway answers${gateway(e)}, and the server behind it does not (HTTP ${statusOf(e)})`
        : undefined,
  },
  {
    id: "blocked-by-gateway",
    at: AT,
    mend: "Let the gateway pass requests of programs to this path (no challenge page, no login page), or give the credential that it wants (-H).",
    recognise: (e) =>
      /cf-mitigated/i.test(JSON.stringify(exchangeOf(e)?.http?.headers ?? [])) ||
      (isPage(e) &&
        /just a moment|attention required|access denied|captcha|are you (?:a )?human|checking your browser|incapsula|akamai|sign in|log ?in\b/i.test(
          bodyOf(e),
        ))
        ? `A gateway answers${gateway(e)} with a page for people (a challenge or a login), and not the server`
        : undefined,
  },
  {
    id: "tunnel-offline",
    at: AT,
    mend: "Start the tunnel's program and the server behind it. A free tunnel may also show people a page first: its documentation names the header that skips it.",
    recognise: (e) =>
      isPage(e) &&
      /ngrok|ERR_NGROK|trycloudflare|localtunnel|tunnel .{0,40}(?:not found|offline|unavailable)/i.test(bodyOf(e))
        ? "A tunnel answers with a page of its own, and not the server behind it"
        : undefined,
  },
  {
    id: "host-guard",
    at: AT,
    mend: "Add the host that is used to the server's allowed hosts (the guard against DNS rebinding), or let the proxy before it set Host to what the server expects. For a public deployment the guard has little use.",
    recognise: (e) =>
      served(e.asLocalhost) && (statusOf(e) === 403 || statusOf(e) === 421)
        ? `The server refuses the Host ${JSON.stringify(e.url.host)} (HTTP ${statusOf(e)}) and answers to localhost: its guard against foreign hosts does not know that name`
        : undefined,
  },
  {
    id: "origin-wanted",
    at: AT,
    mend: "Refuse an Origin that is wrong, and not a request without one: only browsers send it (basic/transports#security-warning).",
    recognise: (e) =>
      served(e.withOrigin) && statusOf(e) === 403
        ? "The server refuses requests without an Origin header, which only browsers send"
        : undefined,
  },
  {
    id: "host-guard-likely",
    at: AT,
    mend: "Look at the lists of allowed hosts and origins in the server and in what stands before it.",
    recognise: (e) =>
      statusOf(e) === 421 ||
      (statusOf(e) === 403 &&
        /\b(?:host|origin)\b/i.test(`${bodyOf(e)} ${rpcError(exchangeOf(e)?.received[0]?.message)?.message ?? ""}`))
        ? `The server or something before it refuses this Host or Origin (HTTP ${statusOf(e)})`
        : undefined,
  },
  {
    id: "forbidden",
    at: AT,
    mend: "Look at the validation of Host and Origin, at a gateway or an address filter before the server, and then at the permissions of the credential, if it wants one.",
    recognise: (e) =>
      statusOf(e) === 403
        ? `The request is forbidden (HTTP 403) by the server or something before it${gateway(e)}`
        : undefined,
  },
  {
    id: "rate-limited",
    at: AT,
    mend: "Wait (Retry-After says how long), and try again.",
    recognise: (e) =>
      statusOf(e) === 429
        ? `The server is asked too often (HTTP 429)${headerOf(e, "retry-after") === "" ? "" : `: Retry-After ${headerOf(e, "retry-after")}`}`
        : undefined,
  },
];

// --- internal ---

const served = (exchange: Exchange | undefined): boolean =>
  exchange !== undefined && (exchange.http?.status ?? 500) < 400 && exchange.received.some(isMessage);

function gateway(e: HttpEvidence): string {
  const name = headerOf(e, "server") || headerOf(e, "via");
  return name === "" ? "" : ` (${name.slice(0, 60)})`;
}
