import { isIP, type Socket, connect as tcp } from "node:net";
import {
  createSecureContext,
  rootCertificates,
  type SecureContext,
  type ConnectionOptions as Tls,
  connect as tls,
} from "node:tls";
import { admitted, type Gate, REFUSED } from "./gate.ts";

/** How a connection is made, and whom it trusts. */
export interface TlsOptions {
  /** PEM of further certificate authorities. */
  readonly ca?: string;
  /** The file that it was read from. */
  readonly caFile?: string;
  /** Whether any certificate will do. */
  readonly insecure?: boolean;
  /** Connect to this address in place of the URL's host, as `curl --connect-to` does. */
  readonly address?: string;
  /** An http:// URL, with user info where the proxy wants it: https goes through a CONNECT tunnel, http by absolute URLs. */
  readonly proxy?: URL;
  /** Who may be connected to. There is no proxy then: what it connects to nobody sees. */
  readonly gate?: Gate;
}

/** Told of a connection being made. Each of the first three at most once; fail is the last if it comes. */
export interface ConnectEvents {
  /** The name is resolved to this address. */
  resolved?(address: string): void;
  /** TCP stands, to the server or to the proxy. */
  connected?(): void;
  /** Bytes can be sent to the server: TLS is done where the URL wants it. */
  ready?(socket: Socket): void;
  fail(cause: { readonly code: string; readonly message: string }): void;
}

export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "");
export const portOf = (url: URL): number => Number(url.port || (url.protocol === "https:" ? 443 : 80));

/** Whether requests to the URL are handed to a proxy, which sends them on, rather than sent through a tunnel. */
export const isForwarded = (url: URL, { proxy }: TlsOptions): boolean =>
  proxy !== undefined && url.protocol === "http:";

/** The header by which we name ourselves to the proxy, if its URL has user info. */
export const proxyAuthorization = (proxy: URL): readonly (readonly [string, string])[] =>
  proxy.username === ""
    ? []
    : [
        [
          "Proxy-Authorization",
          `Basic ${Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`).toString("base64")}`,
        ],
      ];

/** What TLS needs to know to talk to the URL's host: the same for every carrier. */
export function tlsOptions(url: URL, { ca, insecure }: TlsOptions): Tls {
  const host = hostOf(url);
  return {
    host,
    // RFC 6066 section 3: an address is no server name. The certificate is held against `host` then.
    servername: isIP(host) === 0 ? host : "",
    ...(ca === undefined ? {} : { secureContext: contextWith(ca) }),
    ...(insecure === true ? { rejectUnauthorized: false } : {}),
  };
}

/** Makes a connection over which HTTP can be spoken to the URL: TCP, the proxy's tunnel, TLS. Errors go to `fail`. */
export function connect(url: URL, options: TlsOptions, events: ConnectEvents): { abort(): void } {
  const { proxy, address, gate } = options;
  let over = false;
  let current: Socket | undefined;
  const fail = (error: NodeJS.ErrnoException) => {
    if (over) return;
    over = true;
    events.fail({ code: error.code ?? error.name, message: error.message });
    current?.destroy();
  };
  const ready = (socket: Socket) => {
    if (over) return;
    // From here on errors are the caller's.
    over = true;
    socket.off("error", fail);
    socket.off("close", gone);
    events.ready?.(socket);
  };
  const gone = () => fail(coded("ECONNRESET", "the connection was closed before it could be used"));

  function secure(socket: Socket): void {
    if (url.protocol !== "https:") {
      ready(socket);
      return;
    }
    const above = tls({ ...tlsOptions(url, options), socket });
    current = above;
    above.on("error", fail);
    above.on("close", gone);
    above.once("secureConnect", () => ready(above));
  }

  function dial(host: string, further: readonly string[] = []): void {
    const socket = tcp({ host, port: portOf(proxy ?? url) });
    current = socket;
    const [next, ...others] = further;
    const broken = (error: NodeJS.ErrnoException) => {
      if (next === undefined || over) return fail(error);
      socket.off("close", gone);
      dial(next, others);
    };
    socket.on("error", broken);
    socket.on("close", gone);
    socket.once("lookup", (_error: unknown, found: string) => events.resolved?.(found));
    socket.once("connect", () => {
      socket.off("error", broken);
      socket.on("error", fail);
      events.connected?.();
      if (proxy === undefined || isForwarded(url, options)) secure(socket);
      else tunnel(socket, url, proxy, () => secure(socket), fail);
    });
  }

  const host = proxy === undefined ? (address ?? hostOf(url)) : hostOf(proxy);
  try {
    if (gate === undefined) dial(host);
    else if (proxy !== undefined) throw coded(REFUSED, "no proxy may be used where addresses are restricted");
    else {
      admitted(host, gate).then(([first = host, ...further]) => {
        if (over) return;
        events.resolved?.(first);
        dial(first, further);
      }, fail);
    }
  } catch (error) {
    queueMicrotask(() => fail(error instanceof Error ? error : new Error(String(error))));
  }
  return {
    abort() {
      over = true;
      current?.on("error", () => {});
      current?.destroy();
    },
  };
}

// --- internal ---

const MOST_OF_A_PROXY = 64 * 1024;

/** RFC 9110 section 9.3.6. */
function tunnel(
  socket: Socket,
  url: URL,
  proxy: URL,
  done: () => void,
  fail: (error: NodeJS.ErrnoException) => void,
): void {
  const place = `${url.hostname}:${portOf(url)}`;
  let got = Buffer.alloc(0);
  const refused = (what: string) => fail(coded("EPROXY", `the proxy ${proxy.host} ${what} to CONNECT ${place}`));
  const read = (bytes: Buffer) => {
    got = Buffer.concat([got, bytes]);
    const end = got.indexOf("\r\n\r\n");
    if (end < 0) {
      if (got.length > MOST_OF_A_PROXY) refused("answers without end");
      return;
    }
    socket.off("data", read);
    const line = got.subarray(0, got.indexOf("\r\n")).toString("latin1").slice(0, 200);
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(line)?.[1] ?? Number.NaN);
    if (!(status >= 200 && status < 300)) {
      return refused(Number.isNaN(status) ? `answers ${JSON.stringify(line)}` : `answers HTTP ${status}`);
    }
    // TLS begins with our word: whatever stands behind the head is no part of it.
    if (got.length > end + 4) return refused("sends bytes of its own after its answer");
    done();
  };
  socket.on("data", read);
  const head = [
    `CONNECT ${place} HTTP/1.1`,
    `Host: ${place}`,
    ...proxyAuthorization(proxy).map((each) => each.join(": ")),
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
}

const coded = (code: string, message: string): NodeJS.ErrnoException => Object.assign(new Error(message), { code });

const contexts = new Map<string, SecureContext>();

/** The usual authorities and these: `ca` alone would put them in the place of all others. Reading them all takes time, so once. */
function contextWith(ca: string): SecureContext {
  const known = contexts.get(ca);
  if (known !== undefined) return known;
  const context = createSecureContext({ ca: [...rootCertificates, ca] });
  contexts.set(ca, context);
  return context;
}
