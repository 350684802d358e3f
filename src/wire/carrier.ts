import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Header } from "../model/exchange.ts";

/** What goes out: nothing is added to these headers but Host, Content-Length and Connection where they are missing. */
export interface Carried {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly Header[];
  readonly body: Uint8Array | undefined;
  readonly tls: TlsOptions;
}

export interface TlsOptions {
  /** PEM of further certificate authorities. */
  readonly ca?: string;
  readonly insecure?: boolean;
  /** Connect to this address in place of the URL's host, as `curl --connect-to` does. */
  readonly address?: string;
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
export function framed({ url, headers, body, method }: Carried): readonly Header[] {
  const has = (name: string) => headers.some(([key]) => key.toLowerCase() === name);
  const length = body?.byteLength ?? (method === "POST" ? 0 : undefined);
  return [
    ...(has("host") ? [] : [["Host", url.host] as const]),
    ...headers,
    ...(length === undefined || has("content-length") || has("transfer-encoding")
      ? []
      : [["Content-Length", String(length)] as const]),
    ...(has("connection") ? [] : [["Connection", "keep-alive"] as const]),
  ];
}

export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "");
export const portOf = (url: URL): number => Number(url.port || (url.protocol === "https:" ? 443 : 80));

/** Over node:http, whose parser is strict. */
export const carryByNode: Carrier = (carried, listener) => {
  const { url, method, body, tls } = carried;
  let over = false;
  const once = (tell: () => void) => {
    if (over) return;
    over = true;
    tell();
  };
  const failed = (error: NodeJS.ErrnoException) =>
    once(() => listener.fail({ code: error.code ?? error.name, message: error.message }));
  try {
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    const outgoing = send({
      method,
      hostname: tls.address ?? hostOf(url),
      port: portOf(url),
      path: url.pathname + url.search,
      headers: framed(carried).flat(),
      agent: false,
      setHost: false,
      setDefaultHeaders: false,
      ...(tls.ca === undefined ? {} : { ca: tls.ca }),
      ...(tls.insecure === true ? { rejectUnauthorized: false } : {}),
    });
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
    outgoing.end(body);
    return {
      abort() {
        over = true;
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

function pairs(raw: readonly string[]): readonly Header[] {
  const out: Header[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) out.push([raw[i] ?? "", raw[i + 1] ?? ""]);
  return out;
}
