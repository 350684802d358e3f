import { type Exchange, mediaType } from "../../model/exchange.ts";
import type { Cause } from "../cause.ts";
import type { HttpEvidence } from "../evidence.ts";

const refused = (exchange: Exchange | undefined, ...codes: readonly number[]): number | undefined => {
  const status = exchange?.http?.status;
  return status !== undefined && codes.includes(status) ? status : undefined;
};

/** The same request as other clients write it. */
export const variationTroubles: readonly Cause<HttpEvidence>[] = [
  {
    id: "charset-refused",
    at: "passed",
    mend: "Compare the media type without its parameters and without letter case: clients in Java and .NET send a charset.",
    recognise: (e) => {
      const status = refused(e.variations.charset, 400, 406, 415);
      return status === undefined
        ? undefined
        : `Content-Type: application/json; charset=utf-8 is refused (HTTP ${status}): whole platforms of clients send it so`;
    },
  },
  {
    id: "accept-order",
    at: "passed",
    mend: "Look for both types in Accept, in any order.",
    recognise: (e) => {
      const status = refused(e.variations.accept, 400, 406);
      return status === undefined
        ? undefined
        : `Accept is refused where its two types stand in the other order (HTTP ${status})`;
    },
  },
  {
    id: "get-not-refused",
    at: "passed",
    mend: "Answer GET with a stream, or with 405 (basic/transports#listening-for-messages-from-the-server).",
    recognise(e) {
      const http = e.variations.get?.http;
      if (http === undefined || http.status === 405 || mediaType(http) === "text/event-stream") return undefined;
      if (http.status === 200)
        return `GET is answered with HTTP 200 and ${mediaType(http) || "no media type"}, and no stream: clients that listen ask again and again`;
      return http.status >= 400
        ? `GET is answered with HTTP ${http.status} where 405 says that there is no stream: some clients reconnect for ever`
        : undefined;
    },
  },
];
