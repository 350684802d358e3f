import { afterAll, expect, test } from "bun:test";
import { createServer as createHttp } from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { CA, ELSEWHERE, EXPIRED, GOOD, KEY, SELF_SIGNED } from "./certificates.fixture.ts";
import type { TlsOptions } from "./connect.ts";
import { startHttp } from "./http.ts";
import { createRecorder } from "./recorder.ts";

const closing: { close(): void }[] = [];
afterAll(() => {
  for (const each of closing) each.close();
});

async function port(server: Server): Promise<number> {
  closing.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
const secure = (cert: string) =>
  port(createHttps({ key: KEY, cert }, (request, response) => response.end(`${request.method} ${request.url}`)));

/** A proxy that tunnels and forwards, tells what it was asked, and wants a password where one is given. */
async function proxying(password?: string) {
  const asked: string[] = [];
  const server = createServer((client) => {
    client.on("error", () => {});
    client.once("data", (bytes) => {
      const text = bytes.toString("latin1");
      asked.push(text.split("\r\n")[0] ?? "");
      if (password !== undefined && !text.includes(Buffer.from(password).toString("base64"))) {
        client.end("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
        return;
      }
      const [, tunnel] = /^CONNECT \S+:(\d+) /.exec(text) ?? [];
      const [, forwarded] = /^POST http:\/\/[^/]*:(\d+)\//.exec(text) ?? [];
      const upstream = connect(Number(tunnel ?? forwarded), "127.0.0.1", () => {
        if (tunnel === undefined) upstream.write(bytes);
        else client.write("HTTP/1.1 200 Connection established\r\n\r\n");
        client.pipe(upstream).pipe(client);
      });
      upstream.on("error", () => client.destroy());
    });
  });
  return { asked, url: new URL(`http://127.0.0.1:${await port(server)}`) };
}

for (const raw of [false, true]) {
  const by = raw ? "a socket of our own" : "node:http";
  const post = (url: string, tls: TlsOptions, timeout = 5000) =>
    startHttp(
      createRecorder(() => performance.now()),
      tls,
      {
        sender: "test",
        session: 1,
        method: "POST",
        url: new URL(url),
        headers: [],
        body: "{}",
        until: "end",
        timeout,
        raw,
      },
    ).done;

  test(`an authority of the user's is trusted beside the usual ones, by ${by}`, async () => {
    const at = await secure(GOOD);
    for (const host of ["127.0.0.1", "localhost"]) {
      expect((await post(`https://${host}:${at}/mcp`, { ca: CA, address: "127.0.0.1" })).http?.body).toBe("POST /mcp");
    }
    const { end, cause } = await post(`https://127.0.0.1:${at}/mcp`, {});
    expect(end).toBe("unreachable");
    expect(cause).toMatch(/UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT/);
  });

  test(`what is wrong with a certificate is told apart, and --insecure takes any, by ${by}`, async () => {
    const wrong: readonly (readonly [string, TlsOptions, string])[] = [
      [SELF_SIGNED, {}, "DEPTH_ZERO_SELF_SIGNED_CERT"],
      [EXPIRED, { ca: CA }, "CERT_HAS_EXPIRED"],
      [ELSEWHERE, { ca: CA }, "ERR_TLS_CERT_ALTNAME_INVALID"],
    ];
    for (const [cert, tls, code] of wrong) {
      const url = `https://127.0.0.1:${await secure(cert)}/mcp`;
      const refused = await post(url, tls);
      expect([refused.end, refused.cause]).toEqual(["unreachable", expect.stringContaining(code)]);
      expect((await post(url, { insecure: true })).http?.status).toBe(200);
    }
  });

  test(`a name is held against the certificate wherever its address is, by ${by}`, async () => {
    const at = await secure(GOOD);
    const reached = await post(`https://mcp.example.com:${at}/mcp`, { ca: CA, address: "127.0.0.1" });
    expect(reached.http?.status).toBe(200);
    const refused = await post(`https://mcp.example.org:${at}/mcp`, { ca: CA, address: "127.0.0.1" });
    expect(refused.cause).toContain("ERR_TLS_CERT_ALTNAME_INVALID");
  });

  test(`https goes through a proxy's tunnel, and http is handed to it, by ${by}`, async () => {
    const { url: proxy, asked } = await proxying();
    const at = await secure(GOOD);
    expect((await post(`https://localhost:${at}/mcp?x=1`, { ca: CA, proxy })).http?.body).toBe("POST /mcp?x=1");
    expect((await post(`https://localhost:${at}/mcp`, { proxy })).cause).toMatch(/UNABLE_TO/);
    const plain = await port(createHttp((request, response) => response.end(`${request.headers.host} ${request.url}`)));
    const url = `http://localhost:${plain}/mcp`;
    expect((await post(url, { proxy })).http?.body).toBe(`localhost:${plain} ${url}`);
    expect(asked).toEqual([
      `CONNECT localhost:${at} HTTP/1.1`,
      `CONNECT localhost:${at} HTTP/1.1`,
      `POST ${url} HTTP/1.1`,
    ]);
  });

  test(`a proxy that refuses is named, and gets the credentials of its URL, by ${by}`, async () => {
    const at = await secure(GOOD);
    const { url: proxy } = await proxying("user:pä ss");
    const refused = await post(`https://localhost:${at}/mcp`, { ca: CA, proxy });
    expect([refused.end, refused.http]).toEqual(["unreachable", undefined]);
    expect(refused.cause).toBe(`the proxy ${proxy.host} answers HTTP 407 to CONNECT localhost:${at} (EPROXY)`);
    proxy.username = "user";
    proxy.password = "pä ss";
    expect((await post(`https://localhost:${at}/mcp`, { ca: CA, proxy })).http?.status).toBe(200);
    const plain = await port(createHttp((_, response) => response.end("ok")));
    expect((await post(`http://localhost:${plain}/mcp`, { proxy })).http?.body).toBe("ok");
  });

  test(`a proxy that is silent is left in time, by ${by}`, async () => {
    let left: (value: unknown) => void = () => {};
    const gone = new Promise((resolve) => {
      left = resolve;
    });
    const mute = createServer(
      (socket) =>
        void socket
          .on("close", left)
          .on("error", () => {})
          .resume(),
    );
    const proxy = new URL(`http://127.0.0.1:${await port(mute)}`);
    expect((await post("https://localhost:1/mcp", { proxy }, 100)).end).toBe("timeout");
    await gone;
  });
}
