import type { Socket } from "node:net";
import type { Header } from "../model/exchange.ts";
import { type Carrier, framed, type Listener, requestTarget } from "./carrier.ts";
import { connect } from "./connect.ts";

/** Over a socket of our own: any bytes go out, and a lenient reader takes what comes back. */
export const carryRaw: Carrier = (carried, listener) => {
  const { url, method, body, tls } = carried;
  const head = `${method} ${requestTarget(carried)} HTTP/1.1\r\n${framed(carried)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;
  let over = false;
  let open: Socket | undefined;
  const stop = () => {
    over = true;
    making.abort();
    open?.destroy();
  };
  const told: Listener = {
    head: (status, headers) => over || listener.head(status, headers),
    data: (bytes) => over || listener.data(bytes),
    end() {
      if (over) return;
      stop();
      listener.end();
    },
    fail(cause) {
      if (over) return;
      stop();
      listener.fail(cause);
    },
  };
  const reader = createResponseReader(told, method === "HEAD");
  const making = connect(url, tls, {
    ready(socket) {
      open = socket;
      socket.on("error", (error: NodeJS.ErrnoException) =>
        told.fail({ code: error.code ?? error.name, message: error.message }),
      );
      socket.on("data", (bytes: Uint8Array) => reader.feed(Buffer.from(bytes)));
      socket.on("close", () => reader.close());
      // At once, as clients do: some servers lose a body that comes a packet later.
      socket.write(Buffer.concat([Buffer.from(head, "latin1"), body ?? Buffer.alloc(0)]));
    },
    fail: told.fail,
  });
  return { abort: stop };
};

/** Reads one HTTP/1.1 response: status line, headers, then a body by length, by chunks or until the end. */
export function createResponseReader(listener: Listener, bodyless: boolean) {
  let rest: Buffer = Buffer.alloc(0);
  let state: "head" | "length" | "close" | "size" | "chunk" | "done" = "head";
  let left = 0;

  function head(): boolean {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) {
      if (rest.length > 64 * 1024) fail("a header block of more than 64 KiB");
      return false;
    }
    const [first = "", ...lines] = rest.subarray(0, end).toString("latin1").split("\r\n");
    rest = rest.subarray(end + 4);
    const status = /^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1];
    if (status === undefined) {
      fail(`no HTTP status line but ${JSON.stringify(first.slice(0, 80))}`);
      return false;
    }
    const headers = lines.map((line): Header => {
      const colon = line.indexOf(":");
      return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
    const code = Number(status);
    if (code >= 100 && code < 200) return true;
    listener.head(code, headers);
    const value = (name: string) => headers.find(([key]) => key.toLowerCase() === name)?.[1].toLowerCase();
    const length = value("content-length");
    if (bodyless || code === 204 || code === 304) finish();
    else if (value("transfer-encoding")?.includes("chunked") === true) state = "size";
    else if (length !== undefined && /^\d+$/.test(length)) {
      left = Number(length);
      state = "length";
      if (left === 0) finish();
    } else state = "close";
    return true;
  }

  function size(): boolean {
    const end = rest.indexOf("\r\n");
    if (end < 0) return false;
    const text = rest.subarray(0, end).toString("latin1").split(";")[0]?.trim() ?? "";
    rest = rest.subarray(end + 2);
    if (text === "") return true;
    if (!/^[0-9a-f]+$/i.test(text)) {
      fail(`a chunk size of ${JSON.stringify(text.slice(0, 40))}`);
      return false;
    }
    left = Number.parseInt(text, 16);
    if (left === 0) finish();
    else state = "chunk";
    return true;
  }

  function take(): boolean {
    if (rest.length === 0) return false;
    const part = rest.subarray(0, left);
    rest = rest.subarray(part.length);
    left -= part.length;
    listener.data(part);
    if (left > 0) return false;
    if (state === "length") finish();
    else state = "size";
    return true;
  }

  function finish(): void {
    state = "done";
    listener.end();
  }
  function fail(message: string): void {
    state = "done";
    listener.fail({ code: "HPE_INVALID", message });
  }

  return {
    feed(bytes: Buffer) {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      for (let more = true; more && state !== "done"; ) {
        if (state === "head") more = head();
        else if (state === "size") more = size();
        else if (state === "close") {
          if (rest.length > 0) listener.data(rest);
          rest = Buffer.alloc(0);
          more = false;
        } else more = take();
      }
    },
    close() {
      if (state === "close") finish();
      else if (state !== "done") fail("the connection closed in the middle of the response");
    },
  };
}
