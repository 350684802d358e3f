import type { Exchange } from "../model/exchange.ts";
import { broken, defineFact, known } from "../model/fact.ts";
import { isObject } from "../model/json.ts";
import { resultOf } from "../model/message.ts";
import type { Opened } from "../model/session.ts";

/** What the opening of the run was answered with, usable or not. */
export const opened = defineFact<Opened>({
  name: "opening",
  learn: async (_, session) => known(await session.opened()),
});

/** The result of a successful opening. */
export interface Opening {
  readonly exchange: Exchange;
  readonly initialized: Exchange | undefined;
  readonly result: { readonly [key: string]: unknown };
  readonly sessionId: string | undefined;
  /** As the server named it; "" where it named none. */
  readonly negotiated: string;
}

export const opening = defineFact<Opening, { opened: typeof opened }>({
  name: "opening",
  needs: { opened },
  async learn({ opened }) {
    const result = resultOf(opened.exchange.reply);
    return opened.refusal === undefined && isObject(result)
      ? known({
          exchange: opened.exchange,
          initialized: opened.initialized,
          result,
          sessionId: opened.sessionId,
          negotiated: opened.negotiated ?? "",
        })
      : broken(opened.refusal ?? "the opening gave no result", "opening", [opened.exchange.n]);
  },
});

/** What the server declares it can do; empty where it declares it in no usable way. */
export const capabilities = defineFact<{ readonly [key: string]: unknown }, { opening: typeof opening }>({
  name: "capabilities",
  needs: { opening },
  async learn({ opening }) {
    const declared = opening.result["capabilities"];
    return known(isObject(declared) ? declared : {});
  },
});

/**
 * The revision whose rules bind: the negotiated one. A server that named no usable one is judged by the newest with
 * sessions; lifecycle-proto-version judges what it named.
 */
export const negotiated = defineFact<string, { opening: typeof opening }>({
  name: "negotiated revision",
  needs: { opening },
  learn: async ({ opening }) => known(DATED.test(opening.negotiated) ? opening.negotiated : "2025-11-25"),
});

const DATED = /^\d{4}-\d\d-\d\d$/;

/** The session id, for rules that bind only servers which issue one. */
export const sessionId = defineFact<string, { opening: typeof opening }>({
  name: "session id",
  needs: { opening },
  learn: async ({ opening }) =>
    opening.sessionId === undefined
      ? { is: "absent", because: "the server issues no session id (it is stateless)" }
      : known(opening.sessionId),
});
