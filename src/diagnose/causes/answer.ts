import { type Exchange, header, mediaType } from "../../model/exchange.ts";
import { rpcError } from "../../model/message.ts";
import type { Cause } from "../cause.ts";
import type { HttpEvidence, Place } from "../evidence.ts";
import { bestTalk } from "../progress.ts";
import { isMessage } from "../talk.ts";

const AT = ["first byte", "first message", "negotiation"] as const;
const exchangeOf = (e: HttpEvidence): Exchange | undefined => bestTalk(e)?.opened.exchange;
const statusOf = (e: HttpEvidence): number => exchangeOf(e)?.http?.status ?? 0;
const body = (e: HttpEvidence): string => exchangeOf(e)?.http?.body ?? "";
const value = (e: HttpEvidence, name: string): string => header(exchangeOf(e)?.http?.headers, name) ?? "";
const unanswered = (e: HttpEvidence): boolean => bestTalk(e)?.opened.exchange.reply === undefined;

/** No HTTP at all came back. */
export const byteCauses: readonly Cause<HttpEvidence>[] = [
  {
    id: "tls-on-plain-http",
    at: AT,
    mend: "Give the URL with https://.",
    recognise: (e) =>
      e.connections.some(({ secure }) => secure === true) || /plain HTTP request was sent to HTTPS port/i.test(body(e))
        ? `${e.url.host} speaks TLS on that port, and the URL says http`
        : undefined,
  },
  {
    id: "header-too-large",
    at: ["first byte"],
    mend: "Send headers of less than 16 KiB in all.",
    recognise: (e) =>
      /HPE_HEADER_OVERFLOW|header block of more than/i.test(exchangeOf(e)?.cause ?? "")
        ? "The server sends a header block that is too large for HTTP clients"
        : undefined,
  },
  {
    id: "not-http",
    at: ["first byte"],
    mend: "Check the port: something else listens there.",
    recognise: (e) =>
      /HPE_|Parse Error|no HTTP status line|malformed/i.test(exchangeOf(e)?.cause ?? "")
        ? `What answers on ${e.url.host} does not speak HTTP: ${exchangeOf(e)?.cause}`
        : undefined,
  },
  {
    id: "no-answer",
    at: ["first byte"],
    mend: "Look whether the server hangs: in a handler that never answers, behind a gateway whose backend is gone, or in a long cold start (--startup-timeout gives it longer).",
    recognise: (e) =>
      exchangeOf(e)?.end === "timeout"
        ? `The server takes the request and does not answer it within ${Math.round((exchangeOf(e)?.ms ?? 0) / 100) / 10} s`
        : undefined,
  },
  {
    id: "closed-without-answer",
    at: ["first byte"],
    mend: "Look at the server's own log: it crashes or a guard closes the connection. A load balancer without a backend looks like this, too.",
    recognise: (e) =>
      exchangeOf(e)?.http === undefined
        ? `The connection is closed without an answer: ${exchangeOf(e)?.cause ?? "no reason given"}`
        : undefined,
  },
];

/** HTTP came back, and no session of it. In order: what is sure stands above what is likely. */
export const answerCauses: readonly Cause<HttpEvidence>[] = [
  {
    id: "legacy-sse",
    at: AT,
    mend: "Give --transport sse here, and in a client the type sse. For the server's author: serve Streamable HTTP, which took its place in 2025-03-26.",
    recognise: (e) =>
      e.speaksSse === true
        ? "The URL speaks HTTP+SSE, the transport of 2024-11-05, and not Streamable HTTP"
        : undefined,
  },
  {
    id: "streamable-not-sse",
    at: AT,
    mend: "Leave --transport sse out: the URL speaks Streamable HTTP, or is no MCP endpoint.",
    recognise: (e) =>
      e.sse && exchangeOf(e)?.http !== undefined && unanswered(e)
        ? `The URL does not speak HTTP+SSE: no endpoint event came (${words(e)})`
        : undefined,
  },
  {
    id: "wrong-path",
    at: AT,
    mend: "Use that URL.",
    recognise(e) {
      const found = bestOf(e.places);
      if (found === undefined || !unanswered(e)) return undefined;
      const what = {
        mcp: "an MCP server answers",
        sse: "the older HTTP+SSE transport answers",
        locked: "something answers that wants a credential",
        nothing: "",
      }[found.found];
      return {
        headline: `The path is wrong: ${e.url.pathname} gives ${words(e)}, and ${what} at ${found.url}`,
        mend: found.found === "sse" ? `Use ${found.url} with --transport sse.` : `Use ${found.url}.`,
      };
    },
  },
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
          body(e),
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
      /ngrok|ERR_NGROK|trycloudflare|localtunnel|tunnel .{0,40}(?:not found|offline|unavailable)/i.test(body(e))
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
        /\b(?:host|origin)\b/i.test(`${body(e)} ${rpcError(exchangeOf(e)?.received[0]?.message)?.message ?? ""}`))
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
        ? `The server is asked too often (HTTP 429)${value(e, "retry-after") === "" ? "" : `: Retry-After ${value(e, "retry-after")}`}`
        : undefined,
  },
  {
    id: "content-type-refused",
    at: AT,
    mend: "Take application/json, with a charset parameter and in any letter case, too.",
    recognise: (e) =>
      statusOf(e) === 415
        ? "The server refuses Content-Type: application/json (HTTP 415), which every client sends"
        : undefined,
  },
  {
    id: "accept-refused",
    at: AT,
    mend: "Take Accept: application/json, text/event-stream in any order and letter case.",
    recognise: (e) =>
      statusOf(e) === 406
        ? "The server refuses Accept: application/json, text/event-stream (HTTP 406), which every client sends"
        : undefined,
  },
  {
    id: "no-post",
    at: AT,
    mend: "Route POST on this path to the MCP transport; or this is another endpoint than that of MCP.",
    recognise: (e) =>
      statusOf(e) === 405
        ? `The path does not take POST (HTTP 405${value(e, "allow") === "" ? "" : `, Allow: ${value(e, "allow")}`}), by which clients speak`
        : undefined,
  },
  {
    id: "path-not-found",
    at: AT,
    mend: "Look up the endpoint's path: it is often /mcp. These were tried and are no endpoint, either: see the evidence.",
    recognise: (e) =>
      statusOf(e) === 404 || statusOf(e) === 410
        ? `There is nothing at ${e.url.pathname} (HTTP ${statusOf(e)}), nor an MCP endpoint at ${e.places.map(({ url }) => new URL(url).pathname).join(", ") || "any other place that was tried"}`
        : undefined,
  },
  {
    id: "server-error",
    at: AT,
    mend: "Look at the server's own log: the answer below is all that it tells.",
    recognise: (e) => (statusOf(e) >= 500 ? `The server fails at the first request (HTTP ${statusOf(e)})` : undefined),
  },
  {
    id: "web-page",
    at: AT,
    mend: "Give the endpoint's own URL, not that of a page about it; if it is right, the path is not routed to the server (a single-page app answers every path).",
    recognise: (e) => (isPage(e) ? `The URL gives a web page (HTTP ${statusOf(e)}), and no MCP server` : undefined),
  },
  {
    id: "sse-not-closed",
    at: AT,
    mend: "End each SSE event with an empty line (two newlines after the data), and flush it.",
    recognise: (e) =>
      exchangeOf(e)?.http?.unfinished?.includes("jsonrpc") === true
        ? "The answer is an SSE event without the empty line that closes it, and the stream stays open: clients wait for ever"
        : undefined,
  },
  {
    id: "sse-held-back",
    at: AT,
    mend: "Send X-Accel-Buffering: no and Cache-Control: no-transform with the stream, and turn buffering off in the proxy (nginx: proxy_buffering off).",
    recognise: (e) =>
      mediaType(exchangeOf(e)?.http) === "text/event-stream" &&
      exchangeOf(e)?.http?.bytes === 0 &&
      exchangeOf(e)?.end === "timeout"
        ? `The stream opens and nothing comes on it: ${/nginx|cloudflare|envoy|varnish/i.test(`${value(e, "server")} ${value(e, "via")}`) ? `the proxy before the server (${value(e, "server") || value(e, "via")}) holds it back, most likely` : "the server does not write, or a proxy before it holds the events back"}`
        : undefined,
  },
  {
    id: "sse-without-answer",
    at: AT,
    mend: "Send the response as an event of the stream that answers the POST.",
    recognise: (e) =>
      mediaType(exchangeOf(e)?.http) === "text/event-stream" && unanswered(e)
        ? "The server opens a stream and the response never comes on it"
        : undefined,
  },
  {
    id: "body-breaks-off",
    at: AT,
    mend: "Look at Content-Length and at what ends the connection: a crash while the answer is written, a gateway's limit.",
    recognise: (e) =>
      exchangeOf(e)?.end === "closed" || exchangeOf(e)?.end === "timeout"
        ? `The answer begins and breaks off (${exchangeOf(e)?.cause ?? "it was not ended in time"})`
        : undefined,
  },
  {
    id: "empty-answer",
    at: AT,
    mend: "Answer a request with its response in the body; 202 without a body is for notifications.",
    recognise: (e) =>
      exchangeOf(e)?.http?.bytes === 0 && statusOf(e) < 300
        ? `The answer has no body (HTTP ${statusOf(e)})`
        : undefined,
  },
  {
    id: "http-error",
    at: AT,
    mend: "Read the answer below. The request is the plain initialize that clients send.",
    recognise: (e) =>
      statusOf(e) >= 400 && unanswered(e)
        ? `The server answers initialize with HTTP ${statusOf(e)}${body(e).trim() === "" ? "" : `: ${JSON.stringify(body(e).trim().slice(0, 120))}`}`
        : undefined,
  },
  {
    id: "not-json-rpc",
    at: AT,
    mend: "Check the URL: something else than an MCP server may answer there.",
    recognise: (e) =>
      unanswered(e)
        ? `The answer is no JSON-RPC message (${words(e)}): ${JSON.stringify(body(e).trim().slice(0, 80))}`
        : undefined,
  },
];

// --- internal ---

const RANK: Readonly<Record<Place["found"], number>> = { mcp: 3, locked: 2, sse: 1, nothing: 0 };

const bestOf = (places: readonly Place[]): Place | undefined =>
  [...places].filter(({ found }) => found !== "nothing").sort((a, b) => RANK[b.found] - RANK[a.found])[0];

const isPage = (e: HttpEvidence): boolean =>
  mediaType(exchangeOf(e)?.http) === "text/html" || /^\s*<(?:!doctype html|html)/i.test(body(e));

const served = (exchange: Exchange | undefined): boolean =>
  exchange !== undefined && (exchange.http?.status ?? 500) < 400 && exchange.received.some(isMessage);

function words(e: HttpEvidence): string {
  const type = mediaType(exchangeOf(e)?.http);
  return `HTTP ${statusOf(e)}${type === "" ? "" : ` with ${type}`}`;
}

function gateway(e: HttpEvidence): string {
  const name = value(e, "server") || value(e, "via");
  return name === "" ? "" : ` (${name.slice(0, 60)})`;
}
