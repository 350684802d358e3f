import type { Exchange, Header, Received } from "../model/exchange.ts";
import { isObject } from "../model/json.ts";
import type { Message } from "../model/message.ts";
import type { HttpInit, Opened } from "../model/session.ts";
import type { SessionState } from "../revisions/revision.ts";
import { CAPS } from "../wire/caps.ts";
import { type HttpOutgoing, type Live, startHttp } from "../wire/http.ts";
import { type ChannelOptions, createClient, handshake, type Posting, type Transported } from "./channel.ts";
import type { Context, Target } from "./context.ts";

const JSON_TYPE: Header = ["Content-Type", "application/json"];
const BOTH_TYPES: Header = ["Accept", "application/json, text/event-stream"];

/** A session over Streamable HTTP: each message is a POST, each on a connection of its own. */
export function openHttp(
  context: Context,
  target: Extract<Target, { kind: "http" }>,
  options: ChannelOptions,
): Transported {
  const { recorder, times, revision } = context;
  const session = recorder.session();
  const heard: Received[] = [];
  let state: SessionState = { capabilities: options.capabilities ?? {} };
  let opening: Promise<Opened> | undefined;
  let listening: Live | undefined;
  let closed = false;

  const frame = (init: Framing, message: unknown): readonly Header[] => {
    const standard: readonly Header[] =
      init.frame === "none"
        ? []
        : [
            ...((init.method ?? "POST") === "POST" ? [JSON_TYPE, BOTH_TYPES] : []),
            ...(init.method === "GET" ? ([["Accept", "text/event-stream"]] as const) : []),
            ...target.headers,
            ...(init.frame === "sessionless" ? [] : revision.frame(state, message, context.paramHeaders)),
          ];
    const set = Object.entries(init.set ?? {});
    const gone = new Set([...(init.drop ?? []), ...set.map(([name]) => name)].map((name) => name.toLowerCase()));
    return [...standard.filter(([name]) => !gone.has(name.toLowerCase())), ...set];
  };

  const client = createClient(context, options.capabilities ?? {}, (posting) => post(posting));
  const hear = (received: Received): void => {
    if (!closed) client.hear(received);
  };

  const start = (out: Omit<HttpOutgoing, "session" | "hear" | "url"> & { readonly url?: string }): Live =>
    startHttp(recorder, target.tls, {
      ...out,
      session,
      hear,
      url: out.url === undefined ? target.url : new URL(out.url, target.url),
    });

  const request = (sender: string, init: HttpInit, until: HttpOutgoing["until"]): Live =>
    start({
      sender,
      method: init.method ?? "POST",
      ...(init.url === undefined ? {} : { url: init.url }),
      headers: frame(init, messageIn(init)),
      ...(init.body === undefined ? {} : { body: init.body, ...requestIn(init.body) }),
      until,
      timeout: init.timeout ?? times.request,
      ...(init.linger === undefined ? {} : { linger: init.linger }),
      ...(init.raw === undefined ? {} : { raw: init.raw }),
    });

  function post({ sender, json, reply, timeout, linger }: Posting): Promise<Exchange> {
    return start({
      sender,
      method: "POST",
      headers: frame({}, json),
      body: JSON.stringify(json),
      ...(isObject(json) ? { request: json as Message } : {}),
      until: reply === undefined ? "end" : { reply: reply.id },
      timeout,
      ...(linger === undefined ? {} : { linger }),
    }).done;
  }

  async function open(): Promise<Opened> {
    const opened = await handshake(context, options, post, ({ sessionId, negotiated }) => {
      state = {
        capabilities: state.capabilities,
        ...(sessionId === undefined ? {} : { sessionId }),
        ...(negotiated === undefined ? {} : { negotiated }),
      };
    });
    if (opened.refusal === undefined && options.listen === true) {
      const { subscription } = revision;
      const json =
        subscription === undefined
          ? undefined
          : revision.stamp({ jsonrpc: "2.0", id: context.id(), ...subscription }, state);
      const method = json === undefined ? "GET" : "POST";
      listening = startHttp(recorder, target.tls, {
        sender: "listen",
        session,
        method,
        url: target.url,
        headers: frame({ method }, json),
        ...(json === undefined ? {} : { body: JSON.stringify(json), request: json as Message }),
        until: "stop",
        timeout: times.request,
        hear(received) {
          if (heard.length < CAPS.messages) heard.push(received);
          hear(received);
        },
      });
      await listening.head;
    }
    return opened;
  }

  return {
    opened() {
      opening ??= open();
      return opening;
    },
    post,
    http: (sender, init) =>
      request(sender, init, init.headersOnly === true ? "headers" : init.id === undefined ? "end" : { reply: init.id }),
    stream: (sender, init) => request(sender, init, "stop"),
    line() {
      throw new TypeError("a line can only be written to a stdio server");
    },
    heard: () => heard,
    dead: () => undefined,
    stderrTail: () => "",
    async close() {
      if (closed) return undefined;
      closed = true;
      await client.settled();
      await listening?.stop();
      if (opening !== undefined && state.sessionId !== undefined) {
        // Section basic/transports#session-management: a client that is done SHOULD say so. Some servers take their time.
        const farewell = start({
          sender: "close",
          method: "DELETE",
          headers: frame({ method: "DELETE" }, undefined),
          until: "headers",
          timeout: times.grace,
        }).done.finally(() => context.farewells.delete(farewell));
        context.farewells.add(farewell);
      }
      return undefined;
    },
  };
}

// --- internal ---

type Framing = Pick<HttpInit, "frame" | "set" | "drop" | "method">;

function parsed(body: string | undefined): unknown {
  try {
    return body === undefined ? undefined : JSON.parse(body);
  } catch {
    return undefined;
  }
}

function requestIn(body: string): { readonly request?: Message } {
  const json = parsed(body);
  return isObject(json) ? { request: json } : {};
}

/** The message that the headers are to fit: the one in the body, the first of a batch, or the one that is named. */
function messageIn({ like, body }: HttpInit): unknown {
  const json = like ?? parsed(body);
  return Array.isArray(json) ? json[0] : json;
}
