import type { Catalog, RevisionId } from "../model/catalog.ts";
import type { Exchange, Header } from "../model/exchange.ts";
import type { JsonObject } from "../model/json.ts";
import type { Message } from "../model/message.ts";

/** What a session knows of itself, for its next request. */
export interface SessionState {
  readonly sessionId?: string;
  readonly negotiated?: string;
}

/** What the reply to the opening request says. `refusal` set: no session came of it. */
export interface OpeningReply extends SessionState {
  readonly refusal?: string;
}

/** Everything that differs between revisions of the specification. Checks never see this object. */
export interface Revision {
  readonly id: RevisionId;
  readonly catalog: Catalog;
  /** The request that opens a session. */
  opening(options: { readonly capabilities: JsonObject; readonly protocolVersion?: string }): {
    readonly method: string;
    readonly params: JsonObject;
  };
  readOpening(exchange: Exchange): OpeningReply;
  /** The notification that ends the opening, where there is one. */
  readonly opened?: string;
  /** The headers that the transport wants on a message of a session. */
  frame(state: SessionState): readonly Header[];
  /** The request that every live server answers. */
  readonly control: string;
  /** Methods that only read, so that any check may send them on the common session. */
  readonly readOnly: ReadonlySet<string>;
  /** What a client with these capabilities answers to a request of the server. */
  answer(request: Message, capabilities: JsonObject): JsonObject;
}
