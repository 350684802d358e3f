import type { Cause } from "../cause.ts";
import type { HttpEvidence } from "../evidence.ts";
import { AT, bodyOf, exchangeOf, headerOf, isPage, isUnanswered, statusOf, typeOf, wordsFor } from "./_answer.ts";

/** HTTP came back, and no session of it. In order: what is sure stands above what is likely. */
export const answerCauses: readonly Cause<HttpEvidence>[] = [
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
        ? `The path does not take POST (HTTP 405${headerOf(e, "allow") === "" ? "" : `, Allow: ${headerOf(e, "allow")}`}), by which clients speak`
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
      typeOf(e) === "text/event-stream" && exchangeOf(e)?.http?.bytes === 0 && exchangeOf(e)?.end === "timeout"
        ? `The stream opens and nothing comes on it: ${/nginx|cloudflare|envoy|varnish/i.test(`${headerOf(e, "server")} ${headerOf(e, "via")}`) ? `the proxy before the server (${headerOf(e, "server") || headerOf(e, "via")}) holds it back, most likely` : "the server does not write, or a proxy before it holds the events back"}`
        : undefined,
  },
  {
    id: "sse-without-answer",
    at: AT,
    mend: "Send the response as an event of the stream that answers the POST.",
    recognise: (e) =>
      typeOf(e) === "text/event-stream" && isUnanswered(e)
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
      statusOf(e) >= 400 && isUnanswered(e)
        ? `The server answers initialize with HTTP ${statusOf(e)}${bodyOf(e).trim() === "" ? "" : `: ${JSON.stringify(bodyOf(e).trim().slice(0, 120))}`}`
        : undefined,
  },
  {
    id: "not-json-rpc",
    at: AT,
    mend: "Check the URL: something else than an MCP server may answer there.",
    recognise: (e) =>
      isUnanswered(e)
        ? `The answer is no JSON-RPC message (${wordsFor(e)}): ${JSON.stringify(bodyOf(e).trim().slice(0, 80))}`
        : undefined,
  },
];
