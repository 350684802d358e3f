import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Header } from "../model/exchange.ts";
import { connect, hostOf, isForwarded, portOf, proxyAuthorization, type TlsOptions, tlsOptions } from "./connect.ts";

/** What goes out: nothing is added to these headers but Host, Content-Length and Connection where they are missing. */
export interface Carried {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly Header[];
  readonly body: Uint8Array | undefined;
  readonly tls: TlsOptions;
}

/** Told of a response as it arrives. Exactly one of end and fail is last. */
export interface Listener {
  head(status: number, headers: readonly Header[]): void;
  data(bytes: Uint8Array): void;
  end(): void;
  fail(cause: { readonly code: string; readonly message: string }): void;
}

/** A way to send one HTTP request. Redirects are not followed; no connection is used twice. */
export type Carrier = (carried: Carried, listener: Listener) => { abort(): void };

/** Adds what HTTP/1.1 itself needs. Keep-alive is what clients send; some servers break off their answer at "close". */
export function framed({ url, headers, body, method, tls }: Carried): readonly Header[] {
  const has = (name: string) => headers.some(([key]) => key.toLowerCase() === name);
  const length = body?.byteLength ?? (method === "POST" ? 0 : undefined);
  return [
    ...(has("host") ? [] : [["Host", url.host] as const]),
    ...headers,
    ...(length === undefined || has("content-length") || has("transfer-encoding")
      ? []
      : [["Content-Length", String(length)] as const]),
    ...(has("connection") ? [] : [["Connection", "keep-alive"] as const]),
    ...(tls.proxy !== undefined && isForwarded(url, tls) && !has("proxy-authorization")
      ? proxyAuthorization(tls.proxy)
      : []),
  ];
}

/** What stands in the request line: a proxy that sends requests on wants the whole URL (RFC 9112 section 3.2.2). */
export const requestTarget = ({ url, tls }: Carried): string =>
  `${isForwarded(url, tls) ? `http://${url.host}` : ""}${url.pathname}${url.search}`;

/** Over node:http, whose parser is strict. */
export const carryByNode: Carrier = (carried, listener) => {
  let over = false;
  const once = (tell: () => void) => {
    if (over) return;
    over = true;
    tell();
  };
  const failed = (error: NodeJS.ErrnoException) =>
    once(() => listener.fail({ code: error.code ?? error.name, message: error.message }));
  try {
    const { outgoing, abort } = start(carried, failed);
    outgoing.on("error", failed);
    outgoing.on("response", (response) => {
      listener.head(response.statusCode ?? 0, pairs(response.rawHeaders));
      response.on("data", (bytes: Uint8Array) => {
        if (!over) listener.data(bytes);
      });
      response.on("end", () => once(() => listener.end()));
      response.on("error", failed);
      response.on("close", () =>
        once(() => listener.fail({ code: "ECONNRESET", message: "the connection closed in the middle of the body" })),
      );
    });
    outgoing.end(carried.body);
    return {
      abort() {
        over = true;
        abort();
        outgoing.destroy();
      },
    };
  } catch (error) {
    // Illegal header characters and the like are thrown at once: our misuse or the user's, told apart by the code.
    queueMicrotask(() => failed(error instanceof Error ? error : new Error(String(error))));
    return { abort() {} };
  }
};

// --- internal ---

function start(carried: Carried, failed: (error: NodeJS.ErrnoException) => void) {
  const { url, method, tls } = carried;
  const common = {
    method,
    path: requestTarget(carried),
    headers: framed(carried).flat(),
    setHost: false,
    setDefaultHeaders: false,
  };
  const secure = url.protocol === "https:";
  // A gate must see the very address that is connected to, so that the connection is ours then, too.
  if ((secure && tls.proxy !== undefined) || tls.gate !== undefined) {
    let making: { abort(): void } | undefined;
    const outgoing = httpRequest({
      ...common,
      createConnection(_options, made) {
        making = connect(url, tls, {
          ready: (socket) => made(null, socket),
          fail({ code, message }) {
            // Not by way of the request: one without a socket keeps its error to itself on some runtimes.
            failed(Object.assign(new Error(message), { code }));
            outgoing.destroy();
          },
        });
        return undefined;
      },
    });
    return { outgoing, abort: () => making?.abort() };
  }
  const place = isForwarded(url, tls) ? (tls.proxy ?? url) : url;
  const options = {
    ...common,
    hostname: place === url ? (tls.address ?? hostOf(url)) : hostOf(place),
    port: portOf(place),
    agent: false as const,
  };
  const outgoing = secure ? httpsRequest({ ...tlsOptions(url, tls), ...options }) : httpRequest(options);
  return { outgoing, abort() {} };
}

function pairs(raw: readonly string[]): readonly Header[] {
  const out: Header[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) out.push([raw[i] ?? "", raw[i + 1] ?? ""]);
  return out;
}
