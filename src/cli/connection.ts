import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createSecureContext } from "node:tls";
import type { Secret } from "../text/redact.ts";
import { hasStrayPercent } from "../text/secrets.ts";
import type { TlsOptions } from "../wire/connect.ts";
import type { Option, Split } from "./split.ts";
import { UsageError } from "./usage.ts";
import { last } from "./verb.ts";

const HTTP = "Servers behind a URL";

/** How connections to a URL are made, for every verb that has a target. */
export const connectionOptions: readonly Option[] = [
  {
    name: "ca-file",
    value: "<file>",
    group: HTTP,
    scope: "http",
    words: "file",
    about: "PEM certificates of authorities to trust beside the usual ones",
  },
  {
    name: "proxy",
    value: "<url>",
    group: HTTP,
    scope: "http",
    about: "an http:// proxy for every request: http://[user:password@]host:port",
  },
  { name: "insecure", group: HTTP, scope: "http", about: "take any certificate, whoever signed it" },
];

/** What the options say. Throws UsageError for a file or URL that can't be used. */
export function connectionOf(split: Split, cwd: string): TlsOptions {
  const file = last(split, "ca-file");
  const proxy = last(split, "proxy");
  return {
    ...(file === undefined ? {} : { ca: authorities(file, cwd), caFile: file }),
    ...(proxy === undefined ? {} : { proxy: proxyOf(proxy) }),
    ...(split.switches.has("insecure") ? { insecure: true } : {}),
  };
}

/** The password of a proxy, for the redactor. */
export function connectionSecrets({ proxy }: TlsOptions): readonly Secret[] {
  if (proxy === undefined || proxy.password === "") return [];
  const [name, password] = [decodeURIComponent(proxy.username), decodeURIComponent(proxy.password)];
  return [
    { name: "PROXY_PASSWORD", value: proxy.password },
    { name: "PROXY_PASSWORD", value: password },
    { name: "PROXY_AUTHORIZATION", value: Buffer.from(`${name}:${password}`).toString("base64") },
  ];
}

// --- internal ---

function authorities(file: string, cwd: string): string {
  let pem: string;
  try {
    pem = readFileSync(resolve(cwd, file), "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(`--ca-file ${JSON.stringify(file)} can't be read (${code}): give a file of PEM certificates.`);
  }
  try {
    if (!pem.includes("-----BEGIN CERTIFICATE-----")) throw new TypeError("no certificate");
    createSecureContext({ ca: pem });
  } catch {
    throw new UsageError(
      `--ca-file ${JSON.stringify(file)} holds no PEM certificate that can be read: it must have a block -----BEGIN CERTIFICATE-----. (A DER file becomes PEM by openssl x509 -inform der.)`,
    );
  }
  return pem;
}

function proxyOf(text: string): URL {
  const whole = /^[\w.-]+:\d+$/.test(text) ? `http://${text}` : text;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (url === undefined || url.hostname === "") {
    // Not quoted: there may be a password in it.
    throw new UsageError(
      "--proxy is no URL: write it as http://host:port, with user:password@ before the host if it wants them.",
    );
  }
  if (url.protocol !== "http:") {
    throw new UsageError(
      `--proxy has the scheme ${url.protocol}// and only http:// is spoken (https:// servers are reached by CONNECT through it): write it as http://${url.host || "host:port"}.`,
    );
  }
  if (hasStrayPercent(url)) {
    throw new UsageError("--proxy has a % in its user or password that starts no escape: write it as %25.");
  }
  return url;
}
