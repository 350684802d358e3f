import type { End, Exchange, Header, HttpReply, Received, Sent, SseEvent } from "../model/exchange.ts";
import { mediaType } from "../model/exchange.ts";
import { same } from "../model/json.ts";
import { isResponse, type Message } from "../model/message.ts";
import { CAPS } from "./caps.ts";
import { type Carrier, carryByNode } from "./carrier.ts";
import type { TlsOptions } from "./connect.ts";
import { carryRaw } from "./raw.ts";
import { decode, receive } from "./receive.ts";
import type { Recorder } from "./recorder.ts";
import { createSseReader } from "./sse.ts";

/** One HTTP request to send. */
export interface HttpOutgoing {
  readonly sender: string;
  readonly session: number;
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly Header[];
  readonly body?: string | Uint8Array;
  /** The message in the body, where it is one. */
  readonly request?: Message;
  /** When it is over: with the response to this id, with the headers, with the body's end, or when we stop it. */
  readonly until: { readonly reply: unknown } | "headers" | "end" | "stop";
  /** Milliseconds of silence after which it is over. Messages on the stream start it anew, four times at most. */
  readonly timeout: number;
  /** Milliseconds to read on after the reply, at most. */
  readonly linger?: number;
  readonly raw?: boolean;
  /** Leave the exchange to the caller to record, who has more to add. */
  readonly keep?: boolean;
  /** Told of each message on the way. */
  readonly hear?: (received: Received) => void;
}

/** An exchange under way. */
export interface Live {
  readonly head: Promise<{ readonly status: number; readonly headers: readonly Header[] } | undefined>;
  received(): readonly Received[];
  readonly done: Promise<Exchange>;
  stop(): Promise<Exchange>;
}

/** Sends one HTTP request and records what comes back. Never throws for something the server did. */
export function startHttp(recorder: Recorder, tls: TlsOptions, out: HttpOutgoing): Live {
  const n = recorder.next();
  const began = recorder.now();
  const bytes = typeof out.body === "string" ? Buffer.from(out.body) : out.body;
  const received: Received[] = [];
  const events: SseEvent[] = [];
  const chunks: Uint8Array[] = [];
  const sse = createSseReader();
  let status: number | undefined;
  let headers: readonly Header[] = [];
  let streaming = false;
  let read = 0;
  let truncated = false;
  let ended = false;
  let reply: Message | undefined;
  let renewals = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let settleHead: (head: { status: number; headers: readonly Header[] } | undefined) => void = () => {};
  let settle: (exchange: Exchange) => void = () => {};
  const head = new Promise<{ status: number; headers: readonly Header[] } | undefined>((resolve) => {
    settleHead = resolve;
  });
  const done = new Promise<Exchange>((resolve) => {
    settle = resolve;
  });
  let finishing = false;

  const awaited = (message: Message): boolean =>
    typeof out.until === "object" && isResponse(message) && same(message.id, out.until.reply);

  function keep(each: Received): void {
    if (received.length < CAPS.messages) received.push(each);
    out.hear?.(each);
    if (each.message !== undefined && reply === undefined && awaited(each.message)) reply = each.message;
  }

  function arm(ms: number, end: End): void {
    clearTimeout(timer);
    timer = setTimeout(() => finish(end), ms);
  }

  function finish(end: End, cause?: string): void {
    // Whoever hears the last message may stop us once more.
    if (finishing) return;
    finishing = true;
    clearTimeout(timer);
    off();
    carried.abort();
    if (!streaming && status !== undefined && chunks.length > 0) judgeBody();
    const unfinished = sse.unfinished()?.slice(0, CAPS.text);
    const http: HttpReply | undefined =
      status === undefined
        ? undefined
        : {
            status,
            headers,
            body: streaming ? "" : decode(Buffer.concat(chunks)).text.slice(0, CAPS.text),
            bytes: read,
            truncated,
            ended,
            badLines: sse.badLines,
            events,
            ...(unfinished === undefined ? {} : { unfinished }),
          };
    const sent: Sent = {
      text: bytes === undefined ? "" : decode(bytes).text,
      http: { method: out.method, url: out.url.href, headers: out.headers },
    };
    const exchange: Exchange = {
      n,
      session: out.session,
      sender: out.sender,
      sent,
      ...(out.request === undefined ? {} : { request: out.request }),
      received,
      ...(reply === undefined ? {} : { reply }),
      ...(http === undefined ? {} : { http }),
      end: reply !== undefined ? "reply" : end,
      ...(cause === undefined ? {} : { cause }),
      ms: recorder.now() - began,
    };
    settleHead(undefined);
    settle(out.keep === true ? exchange : recorder.record(exchange));
  }

  function judgeBody(): void {
    const { text, valid } = decode(Buffer.concat(chunks));
    if (text.trim() !== "") keep(receive(text, { from: "body", at: recorder.now(), valid }));
  }

  // Nothing is sent any more once the run is over.
  const carry: Carrier = recorder.stopped() ? () => ({ abort() {} }) : out.raw === true ? carryRaw : carryByNode;
  const carried = carry(
    { method: out.method, url: out.url, headers: out.headers, body: bytes, tls },
    {
      head(code, list) {
        status = code;
        headers = list;
        streaming = mediaType({ headers: list } as HttpReply) === "text/event-stream";
        settleHead({ status: code, headers: list });
        if (out.until === "headers" || (out.until === "end" && streaming && out.method === "GET")) finish("complete");
        else if (out.until === "stop") clearTimeout(timer);
      },
      data(part) {
        if (finishing) return;
        read += part.byteLength;
        if (!streaming) {
          if (read <= CAPS.message) chunks.push(part);
          else {
            truncated = true;
            finish("complete", `a body of more than ${CAPS.message} bytes`);
          }
          return;
        }
        if (read > CAPS.stream) {
          truncated = true;
          finish("complete", `a stream of more than ${CAPS.stream} bytes`);
          return;
        }
        for (const event of sse.feed(part)) {
          if (events.length < CAPS.messages) events.push(event);
          if (event.data === undefined || event.data === "") continue;
          const { data, ...fields } = event;
          keep(receive(data, { from: "sse", at: recorder.now(), event: fields }));
          if (reply !== undefined) {
            if (out.linger === undefined) return finish("reply");
            if (received.at(-1)?.message === reply) arm(out.linger, "reply");
          } else if (out.until !== "stop" && renewals++ < 4) arm(out.timeout, "timeout");
        }
      },
      end() {
        ended = true;
        finish("complete");
      },
      fail: ({ code, message }) => {
        const unreachable = status === undefined && UNREACHABLE.test(code);
        finish(unreachable ? "unreachable" : "closed", `${message} (${code})`);
      },
    },
  );
  arm(out.timeout, "timeout");
  const off = recorder.onStop(() => finish("closed", "the run was interrupted"));

  return {
    head,
    received: () => received,
    done,
    async stop() {
      finish("complete");
      return done;
    },
  };
}

// --- internal ---

const UNREACHABLE =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|EPROXY|ConnectionRefused|EPROTO|EADDRREFUSED|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|CERT_|UNABLE_TO)/;
