import type { Cause } from "../cause.ts";
import type { HttpEvidence } from "../evidence.ts";
import { AT, bodyOf, exchangeOf } from "./_answer.ts";

/** No HTTP at all came back. */
export const byteCauses: readonly Cause<HttpEvidence>[] = [
  {
    id: "tls-on-plain-http",
    at: AT,
    mend: "Give the URL with https://.",
    recognise: (e) =>
      e.connections.some(({ secure }) => secure === true) ||
      /plain HTTP request was sent to HTTPS port/i.test(bodyOf(e))
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
