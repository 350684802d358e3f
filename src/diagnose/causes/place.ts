import type { Cause } from "../cause.ts";
import type { HttpEvidence, Place } from "../evidence.ts";
import { AT, exchangeOf, isUnanswered, wordsFor } from "./_answer.ts";

/** The endpoint is elsewhere, or speaks another transport. */
export const placeCauses: readonly Cause<HttpEvidence>[] = [
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
      e.sse && exchangeOf(e)?.http !== undefined && isUnanswered(e)
        ? `The URL does not speak HTTP+SSE: no endpoint event came (${wordsFor(e)})`
        : undefined,
  },
  {
    id: "wrong-path",
    at: AT,
    mend: "Use that URL.",
    recognise(e) {
      const found = bestOf(e.places);
      if (found === undefined || !isUnanswered(e)) return undefined;
      const what = {
        mcp: "an MCP server answers",
        sse: "the older HTTP+SSE transport answers",
        locked: "something answers that wants a credential",
        nothing: "",
      }[found.found];
      return {
        headline: `The path is wrong: ${e.url.pathname} gives ${wordsFor(e)}, and ${what} at ${found.url}`,
        mend: found.found === "sse" ? `Use ${found.url} with --transport sse.` : `Use ${found.url}.`,
      };
    },
  },
];

// --- internal ---

const RANK: Readonly<Record<Place["found"], number>> = { mcp: 3, locked: 2, sse: 1, nothing: 0 };

const bestOf = (places: readonly Place[]): Place | undefined =>
  [...places].filter(({ found }) => found !== "nothing").sort((a, b) => RANK[b.found] - RANK[a.found])[0];
