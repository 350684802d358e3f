import type { Exchange, Received } from "../model/exchange.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { Closing, HttpInit, Opened, OpenOptions } from "../model/session.ts";
import { CAPS } from "../wire/caps.ts";
import type { Live } from "../wire/http.ts";
import { openHttp } from "./channel-http.ts";
import { openSse } from "./channel-sse.ts";
import { openStdio } from "./channel-stdio.ts";
import type { Context, Target } from "./context.ts";

/** How one message is sent. */
export interface Posting {
  readonly sender: string;
  readonly json: Json;
  /** The id whose response is awaited. */
  readonly reply?: { readonly id: unknown };
  readonly timeout: number;
  readonly linger?: number;
}

/** One session (HTTP) or process (stdio) and its opening. Any number of senders may share it. */
export interface Channel {
  /** Opens it on the first call: handshake, and where asked for a GET stream. Never throws for what the server did. */
  opened(): Promise<Opened>;
  post(posting: Posting): Promise<Exchange>;
  /** A message as this session sends it. */
  stamp(message: JsonObject): JsonObject;
  http(sender: string, init: HttpInit): Live;
  /** A request whose answer is read until it is stopped. */
  stream(sender: string, init: HttpInit): Live;
  line(
    sender: string,
    pieces: readonly (string | Uint8Array)[],
    reply: { readonly id: unknown } | undefined,
    timeout: number,
  ): Promise<Exchange>;
  heard(): readonly Received[];
  /** Why nothing can be sent on it any more, if so. */
  dead(): string | undefined;
  /** To be called when the server has stopped answering on it: nobody waits for it again. */
  giveUp(reason: string): void;
  /** The reason for which it was given up. */
  givenUp(): string | undefined;
  stderrTail(): string;
  close(): Promise<Closing | undefined>;
}

export interface ChannelOptions extends OpenOptions {
  readonly sender: string;
  /** Milliseconds for the opening request. */
  readonly openingTimeout: number;
}

/** What a transport provides; giving up is the same on all. */
export type Transported = Omit<Channel, "giveUp" | "givenUp" | "stamp">;

/** Prepares a channel; nothing is sent or started yet. */
export function createChannel(context: Context, options: ChannelOptions): Channel {
  const { target } = context;
  const channel = transported(context, target, options);
  let given: string | undefined;
  const state = { capabilities: options.capabilities ?? {} };
  return {
    ...channel,
    stamp: (message) => context.revision.stamp(message, state),
    dead: () => given ?? channel.dead(),
    giveUp(reason) {
      given ??= reason;
    },
    givenUp: () => given,
  };
}

function transported(context: Context, target: Target, options: ChannelOptions): Transported {
  if (target.kind === "stdio") return openStdio(context, target, options);
  return target.sse === true ? openSse(context, target, options) : openHttp(context, target, options);
}

/** The opening, the same on both transports: request, reply, notification. */
export async function handshake(
  { revision, id, times, patiently }: Context,
  options: ChannelOptions,
  post: (posting: Posting) => Promise<Exchange>,
  settle: (state: ReturnType<Context["revision"]["readOpening"]>) => void,
): Promise<Opened> {
  const { method, params } = revision.opening({
    capabilities: options.capabilities ?? {},
    ...(options.protocolVersion === undefined ? {} : { protocolVersion: options.protocolVersion }),
  });
  const key = id();
  const exchange = await patiently(() =>
    post({
      sender: options.sender,
      json: revision.stamp({ jsonrpc: "2.0", id: key, method, params }, { capabilities: options.capabilities ?? {} }),
      reply: { id: key },
      timeout: options.openingTimeout,
    }),
  );
  const state = revision.readOpening(exchange);
  settle(state);
  if (state.refusal !== undefined || revision.opened === undefined || options.initialized === false) {
    return { exchange, ...state };
  }
  const initialized = await post({
    sender: options.sender,
    json: { jsonrpc: "2.0", method: revision.opened },
    timeout: times.request,
  });
  return { exchange, initialized, ...state };
}

/** Answers requests of the server as the client that we play, up to a number that no honest server reaches. */
export function createClient(
  { revision, times }: Context,
  capabilities: JsonObject,
  post: (posting: Posting) => Promise<Exchange>,
) {
  const pending = new Set<Promise<unknown>>();
  let answered = 0;
  return {
    hear({ message }: Received): void {
      if (typeof message?.method !== "string" || (typeof message.id !== "number" && typeof message.id !== "string"))
        return;
      if (answered++ >= CAPS.answers) return;
      const json = { jsonrpc: "2.0", id: message.id, ...revision.answer(message, capabilities) };
      const sent = post({ sender: "client", json, timeout: times.request });
      pending.add(sent);
      void sent.finally(() => pending.delete(sent));
    },
    /** Resolves when every answer is out. */
    settled: () => Promise.all(pending),
  };
}
