import type { Catalog, RevisionId } from "../model/catalog.ts";
import type { Exchange, Header } from "../model/exchange.ts";
import type { JsonObject } from "../model/json.ts";
import type { Message } from "../model/message.ts";

/** What a session knows of itself, for its next request. */
export interface SessionState {
  readonly sessionId?: string;
  readonly negotiated?: string;
  /** The client capabilities it declares. */
  readonly capabilities: JsonObject;
}

/** Arguments that a tool wants in headers of their own, by tool. Learned from its listing, for the whole run. */
export type ParamHeaders = Map<string, readonly { readonly argument: string; readonly header: string }[]>;

/** What the reply to the opening request says. `refusal` set: no session came of it. */
export interface OpeningReply {
  readonly sessionId?: string;
  readonly negotiated?: string;
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
  /** What every message of this revision carries. */
  stamp(message: JsonObject, state: SessionState): JsonObject;
  /** The headers that HTTP wants on this message of a session; undefined: on a request without one. */
  frame(state: SessionState, message: unknown, params: ParamHeaders): readonly Header[];
  /** Takes what an answer says of later requests. */
  observe(request: Message | undefined, result: unknown, params: ParamHeaders): void;
  /** Whether a GET stream carries what the server says unasked. */
  readonly listens: boolean;
  /** The request on whose stream it comes, where it does by one. */
  readonly subscription?: { readonly method: string; readonly params: JsonObject };
  /** The request that every live server answers. */
  readonly control: string;
  /** Methods that only read, so that any check may send them on the common session. */
  readonly readOnly: ReadonlySet<string>;
  /** What a client with these capabilities answers to a request of the server. */
  answer(request: Message, capabilities: JsonObject): JsonObject;
}

/** Methods that both revisions have and that only read. */
export const READING = [
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "prompts/list",
  "prompts/get",
  "completion/complete",
] as const;
