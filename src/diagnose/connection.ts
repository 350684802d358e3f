import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Exchange } from "../model/exchange.ts";
import { connect, isForwarded, portOf, type TlsOptions } from "../wire/connect.ts";
import { startHttp } from "../wire/http.ts";
import type { Recorder } from "../wire/recorder.ts";
import type { Certificate, Connected } from "./evidence.ts";
import { SENDER } from "./talk.ts";

/** Connects to the URL and leaves again without a word of HTTP, noting how far that came. */
export async function tryConnection(url: URL, tls: TlsOptions, timeout: number, now: () => number): Promise<Connected> {
  const began = now();
  const at: { address?: string; resolved?: number; connected?: number; ready?: number } = {};
  const trouble = await made(url, tls, timeout, {
    resolved(address) {
      at.address = address;
      at.resolved = now() - began;
    },
    connected() {
      at.connected = now() - began;
    },
    ready() {
      at.ready = now() - began;
    },
  });
  if (trouble === undefined) return at;
  const tunnelled = tls.proxy !== undefined && !isForwarded(url, tls);
  const where = at.connected === undefined ? unconnected(trouble.code, tls) : secured(trouble.code, tunnelled);
  return { ...at, trouble: { ...trouble, at: where } };
}

/** The certificate that the port shows to anybody; undefined where it speaks no TLS. Nothing is sent over it. */
export async function certificateAt(url: URL, tls: TlsOptions, timeout: number): Promise<Certificate | undefined> {
  const secure = new URL(`https://${url.hostname}:${portOf(url)}/`);
  let found: Certificate | undefined;
  await made(secure, { ...tls, insecure: true }, timeout, {
    ready(socket) {
      found = certificateOf(socket);
    },
  });
  return found;
}

/** What the port says to plain HTTP. Carries nothing of the user's. */
export function plainAt(url: URL, tls: TlsOptions, timeout: number, recorder: Recorder): Promise<Exchange> {
  const plain = new URL(`http://${url.hostname}:${portOf(url)}/`);
  return startHttp(recorder, tls, {
    sender: SENDER,
    session: recorder.session(),
    method: "GET",
    url: plain,
    headers: [["Accept", "application/json"]],
    until: "headers",
    timeout,
    raw: true,
  }).done;
}

// --- internal ---

interface Watched {
  resolved?(address: string): void;
  connected?(): void;
  ready(socket: Socket): void;
}

/** Makes a connection and gives it up at once; resolves to what went wrong. */
function made(
  url: URL,
  tls: TlsOptions,
  timeout: number,
  watched: Watched,
): Promise<{ readonly code: string; readonly message: string } | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      making.abort();
      resolve({ code: "ETIMEDOUT", message: `nothing within ${timeout} ms` });
    }, timeout);
    const making = connect(url, tls, {
      ...watched,
      ready(socket) {
        clearTimeout(timer);
        socket.on("error", () => {});
        watched.ready(socket);
        socket.destroy();
        resolve(undefined);
      },
      fail(cause) {
        clearTimeout(timer);
        resolve(cause);
      },
    });
  });
}

const unconnected = (code: string, { proxy }: TlsOptions): NonNullable<Connected["trouble"]>["at"] =>
  proxy !== undefined ? "proxy" : /^(ENOTFOUND|EAI_|EDNS|DNS_|ENODATA)/.test(code) ? "dns" : "tcp";

const secured = (code: string, tunnelled: boolean): NonNullable<Connected["trouble"]>["at"] =>
  code === "EPROXY" || (tunnelled && code === "ETIMEDOUT") ? "proxy" : "tls";

function certificateOf(socket: Socket): Certificate | undefined {
  if (!("getPeerCertificate" in socket)) return undefined;
  const found = (socket as TLSSocket).getPeerCertificate();
  // A server without a certificate gives an empty object, whatever the types say.
  const { subject, issuer, valid_from: from, valid_to: to, subjectaltname: names }: Partial<typeof found> = found;
  return {
    subject: commonName(subject),
    issuer: commonName(issuer),
    from: from ?? "",
    to: to ?? "",
    names: (names ?? "").slice(0, 1000),
  };
}

function commonName(name: { readonly CN?: string | string[]; readonly O?: string | string[] } | undefined): string {
  const found = name?.CN ?? name?.O ?? "";
  return (Array.isArray(found) ? found.join(", ") : found).slice(0, 200);
}
