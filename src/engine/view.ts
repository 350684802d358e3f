import type { Effect } from "../model/check.ts";
import type { Exchange } from "../model/exchange.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { resultOf } from "../model/message.ts";
import { Blocked, Failed, fail } from "../model/outcome.ts";
import type {
  Answered,
  Attribution,
  Closing,
  HttpInit,
  LocalListener,
  OpenOptions,
  RawHttp,
  RawLine,
  SendOptions,
  Server,
} from "../model/session.ts";
import { listenLocally } from "../wire/listener.ts";
import { attribute, CAUSE } from "./attribution.ts";
import { type Channel, createChannel } from "./channel.ts";
import { type Context, reopening } from "./context.ts";

/** What a check or fact sees of the server, and what it sent. */
export interface View {
  readonly server: Server & RawHttp & RawLine;
  readonly sent: readonly Exchange[];
  /** Closes what the sender opened beyond the channel it was given. */
  close(): Promise<void>;
}

export interface ViewOptions {
  readonly sender: string;
  readonly effect: Effect;
  readonly channel: Channel;
  /** Why sessions can't be opened, if the opening of the run has failed. */
  readonly refusal?: () => string | undefined;
}

/** One sender's view of a channel. A sender that is `shared` may not disturb the others: to do so is our own fault. */
export function createView(context: Context, { sender, effect, channel, refusal }: ViewOptions): View {
  const { revision, times, view: target } = context;
  const sent: Exchange[] = [];
  const further: Channel[] = [];
  const listeners: LocalListener[] = [];

  const keep = (exchange: Exchange): Exchange => {
    sent.push(exchange);
    revision.observe(exchange.request, resultOf(exchange.reply), context.paramHeaders);
    return exchange;
  };

  const delivered = (once: boolean, send: () => Promise<Exchange>): Promise<Exchange> => {
    const kept = async () => keep(await send());
    return once ? kept() : context.patiently(kept);
  };

  function on(channel: Channel, bare = false): Server & RawHttp & RawLine {
    async function ready(): Promise<Channel> {
      if (bare) return channel;
      const given = channel.givenUp();
      if (given !== undefined) throw new Blocked(given, CAUSE.silence);
      const reason = channel.dead() === undefined ? refusal?.() : undefined;
      if (reason !== undefined) throw new Blocked(reason, "opening");
      const opened = await channel.opened();
      if (opened.refusal !== undefined) throw new Blocked(opened.refusal, "opening", opened.exchange);
      return channel;
    }

    async function say(json: Json, options: SendOptions, awaiting: boolean): Promise<Exchange> {
      const here = await ready();
      const key = options.id ?? (isObject(json) ? json["id"] : undefined);
      return delivered(options.once === true, () =>
        here.post({
          sender,
          json,
          ...(awaiting && key !== undefined ? { reply: { id: key } } : {}),
          timeout: options.timeout ?? times.request,
          ...(options.linger === undefined ? {} : { linger: options.linger }),
        }),
      );
    }

    function send(method: string, params?: JsonObject, options: SendOptions = {}): Promise<Exchange> {
      if (effect === "shared" && !revision.readOnly.has(method) && !method.startsWith("nonexistent/")) {
        throw new TypeError(`declared shared, yet sends ${method}: declare own or alone`);
      }
      const id = options.id === undefined ? context.id() : options.id;
      return say(composed(method, params, id), { ...options, id }, true);
    }

    const composed = (method: string, params?: JsonObject, id?: Json): JsonObject =>
      channel.stamp({
        jsonrpc: "2.0",
        ...(id === undefined ? {} : { id }),
        method,
        ...(params === undefined ? {} : { params }),
      });

    const control = () => send(revision.control, undefined, { once: true });

    async function attributed(exchange: Exchange, how: Attribution = {}): Promise<Exchange> {
      try {
        return await attribute(exchange, how, { target, control, timeout: times.request });
      } catch (cause) {
        if (cause instanceof Blocked && cause.by === CAUSE.silence) channel.giveUp(cause.message);
        throw cause;
      }
    }

    return {
      transport: target.kind,
      target,
      quiet: times.quiet,
      allowDestructive: context.allowDestructive,
      random: context.random,
      unique: () => `assay-${context.random(0x7fffffff).toString(36)}${context.random(0x7fffffff).toString(36)}`,
      warn: context.warn,
      async listenLocally() {
        const word = () => [0, 0, 0].map(() => context.random(0x7fffffff).toString(36)).join("");
        const listener = await listenLocally(`/${word()}`, `assay-${word()}`);
        listeners.push(listener);
        return listener;
      },
      send,
      control,
      attributed,
      async request(method, params) {
        const exchange = await attributed(await send(method, params), { codes: "any" });
        if (exchange.reply === undefined) {
          throw new Failed(fail(`a JSON-RPC response to ${method} with its id`, sightOf(exchange), exchange));
        }
        return exchange as Answered;
      },
      notify: (method, params) => say(composed(method, params), {}, false),
      compose: (method = revision.control, params, id = context.id()) => composed(method, params, id),
      say: (message, options = {}) => say(message, options, true),
      heard: () => channel.heard(),
      opened: () => channel.opened(),
      async open(options: OpenOptions = {}) {
        if (effect === "shared") throw new TypeError("declared shared, yet opens a session: declare own or alone");
        const opened = createChannel(context, { ...options, sender, openingTimeout: reopening(context) });
        further.push(opened);
        return on(opened, options.bare === true);
      },
      close: (): Promise<Closing | undefined> => channel.close(),
      async http(init: HttpInit) {
        const here = (init.frame ?? "session") === "session" ? await ready() : channel;
        return delivered(init.once === true, () => here.http(sender, init).done);
      },
      stream(init: HttpInit) {
        const live = channel.stream(sender, init);
        return { head: live.head, received: live.received, close: async () => keep(await live.stop()) };
      },
      async line(pieces, options = {}) {
        const here = await ready();
        const reply = options.id === undefined ? undefined : { id: options.id };
        return keep(await here.line(sender, pieces, reply, options.timeout ?? times.request));
      },
    };
  }

  return {
    server: on(channel),
    sent,
    async close() {
      await Promise.all([...further, ...listeners].map((each) => each.close()));
    },
  };
}

/** What came instead of a response. */
export function sightOf(exchange: Exchange): string {
  const status = exchange.http?.status;
  const first = exchange.received[0];
  const body =
    first === undefined ? "nothing" : first.problem !== undefined ? `text that is ${first.problem}` : "another message";
  return status === undefined ? body : `HTTP ${status} with ${body}`;
}
