import type { Exchange, Header, Received } from "../model/exchange.ts";
import { isObject, same } from "../model/json.ts";
import { isResponse, type Message } from "../model/message.ts";
import type { Opened } from "../model/session.ts";
import { CAPS } from "../wire/caps.ts";
import { type Live, startHttp } from "../wire/http.ts";
import { type ChannelOptions, createClient, handshake, type Posting, type Transported } from "./channel.ts";
import type { Context, Target } from "./context.ts";

/**
 * A session over HTTP+SSE (2024-11-05, basic/transports#http-with-sse): a GET stream names an endpoint in its first
 * event; messages are POSTed there, and answers come as events of the stream.
 */
export function openSse(
  context: Context,
  target: Extract<Target, { kind: "http" }>,
  options: ChannelOptions,
): Transported {
  const { recorder } = context;
  const session = recorder.session();
  const heard: Received[] = [];
  const delivered = new Set<Received>();
  const waiting = new Map<unknown, (got: Received) => void>();
  let stream: Live | undefined;
  let endpoint: URL | undefined;
  let named: (url: URL | undefined) => void = () => {};
  let opening: Promise<Opened> | undefined;

  function hear(received: Received): void {
    if (received.event?.name === "endpoint") {
      named(endpointOf(received.text, target.url));
      return;
    }
    const { message } = received;
    const waiter = message !== undefined && isResponse(message) ? find(message.id) : undefined;
    if (waiter !== undefined) {
      delivered.add(received);
      waiter(received);
    } else if (heard.length < CAPS.messages) heard.push(received);
    client.hear(received);
  }

  const client = createClient(context, options.capabilities ?? {}, (posting) => post(posting));
  const find = (id: unknown) => [...waiting].find(([key]) => same(key, id))?.[1];

  async function connect(): Promise<void> {
    const found = new Promise<URL | undefined>((resolve) => {
      named = resolve;
    });
    stream = startHttp(recorder, target.tls, {
      sender: "listen",
      session,
      method: "GET",
      url: target.url,
      headers: [["Accept", "text/event-stream"], ...target.headers],
      until: "stop",
      timeout: options.openingTimeout,
      hear,
      keep: true,
    });
    void stream.done.then(() => named(undefined));
    endpoint = await Promise.race([found, late(options.openingTimeout)]);
  }

  /** The POST, and beside it the answer that the stream brings. */
  async function post({ sender, json, reply, timeout }: Posting): Promise<Exchange> {
    const headers: readonly Header[] = [["Content-Type", "application/json"], ...target.headers];
    const answer = reply === undefined ? undefined : awaited(reply.id, timeout);
    const live = startHttp(recorder, target.tls, {
      sender,
      session,
      method: "POST",
      url: endpoint ?? target.url,
      headers,
      body: JSON.stringify(json),
      ...(isObject(json) ? { request: json as Message } : {}),
      until: "end",
      timeout,
      keep: reply !== undefined,
    });
    const posted = await live.done;
    const refused = posted.end !== "complete" || (posted.http?.status ?? 500) >= 400;
    const got = answer === undefined || refused ? undefined : await answer.got;
    answer?.forget();
    if (reply === undefined) return posted;
    return recorder.record({
      ...posted,
      received: got === undefined ? posted.received : [...posted.received, got],
      ...(got?.message === undefined ? {} : { reply: got.message }),
      end: got !== undefined ? "reply" : refused ? posted.end : "timeout",
    });
  }

  function awaited(id: unknown, timeout: number) {
    const got = new Promise<Received>((resolve) => void waiting.set(id, resolve));
    return { got: Promise.race([got, late(timeout)]), forget: () => void waiting.delete(id) };
  }

  return {
    opened() {
      opening ??= (async () => {
        await connect();
        return handshake(context, options, post, () => {});
      })();
      return opening;
    },
    post,
    http: noRaw,
    stream: noRaw,
    line: noRaw,
    heard: () => heard,
    dead: () => undefined,
    stderrTail: () => "",
    async close() {
      const heardAll = await stream?.stop();
      // What answered a request stands with that request; the stream is what came beside.
      if (heardAll !== undefined) {
        recorder.record({ ...heardAll, received: heardAll.received.filter((each) => !delivered.has(each)) });
      }
      return undefined;
    },
  };
}

/** Whether a URL serves that transport: its first event names an endpoint. */
export async function speaksSse(
  { recorder, times }: Context,
  target: Extract<Target, { kind: "http" }>,
): Promise<boolean> {
  let found = false;
  const live = startHttp(recorder, target.tls, {
    sender: "recognition",
    session: recorder.session(),
    method: "GET",
    url: target.url,
    headers: [["Accept", "text/event-stream"], ...target.headers],
    until: "stop",
    timeout: times.request,
    hear({ event }) {
      found ||= event?.name === "endpoint";
      void live.stop();
    },
  });
  const head = await live.head;
  if (head === undefined || head.status !== 200) await live.stop();
  await Promise.race([live.done, late(Math.min(times.request, 3000))]);
  await live.stop();
  return found;
}

// --- internal ---

function noRaw(): never {
  throw new TypeError("raw requests are not sent over HTTP+SSE");
}

/** Only an endpoint of the same origin is taken: the server may not send us elsewhere. */
function endpointOf(text: string, base: URL): URL | undefined {
  try {
    const url = new URL(text.trim(), base);
    return url.origin === base.origin ? url : undefined;
  } catch {
    return undefined;
  }
}

const late = (ms: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref());
