import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTls } from "node:tls";
import { fileURLToPath } from "node:url";
import { listen } from "../reference/http.ts";
import { createReference } from "../reference/server.ts";
import { CA, GOOD, KEY } from "../wire/certificates.fixture.ts";
import { connectionOf, connectionOptions, connectionSecrets } from "./connection.ts";
import { split } from "./split.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "mcp-assay-connection-"));
const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
afterAll(() => Promise.all(closing.map((close) => close())));

async function port(server: Server): Promise<number> {
  closing.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

let url = "";
let host = "";
let proxy = "";
const tunnels: string[] = [];
beforeAll(async () => {
  const reference = await listen(createReference({}, []), 0);
  closing.push(reference.close);
  const behind = Number(new URL(reference.url).port);
  // The reference server guards its Host, and has no idea of what stands before it.
  host = `Host: 127.0.0.1:${behind}`;
  const front = createTls({ key: KEY, cert: GOOD }, (socket) => {
    const upstream = connect(behind, "127.0.0.1");
    for (const each of [socket, upstream]) each.on("error", () => {});
    socket.pipe(upstream).pipe(socket);
  });
  url = `https://localhost:${await port(front)}/mcp`;
  const tunnel = createServer((client) => {
    client.on("error", () => {});
    client.once("data", (bytes) => {
      const line = bytes.toString("latin1").split("\r\n")[0] ?? "";
      tunnels.push(line);
      const upstream = connect(Number(/:(\d+) /.exec(line)?.[1]), "127.0.0.1", () => {
        client.write("HTTP/1.1 200 OK\r\n\r\n");
        client.pipe(upstream).pipe(client);
      });
      upstream.on("error", () => client.destroy());
    });
  });
  proxy = `127.0.0.1:${await port(tunnel)}`;
  writeFileSync(join(folder, "ca.pem"), CA);
  writeFileSync(join(folder, "empty.pem"), "nothing");
  writeFileSync(join(folder, "broken.pem"), CA.replace(/[A-Za-z]{9}/g, "!"));
});

const graded = (...more: readonly string[]): Promise<{ code: number | null; out: string }> =>
  new Promise((resolve) => {
    const args = [
      main,
      "test",
      url,
      "-H",
      host,
      "--only",
      "transport-post",
      "--spec-version",
      "2025-11-25",
      "--format",
      "json",
    ];
    const child = spawn(process.execPath, [...args, ...more], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    let out = "";
    child.stdout.on("data", (bytes) => {
      out += bytes;
    });
    child.on("close", (code) => resolve({ code, out }));
  });

test("a server with a certificate of one's own is tested by --ca-file, --insecure and through --proxy", async () => {
  expect((await graded()).code).toBe(3);
  const trusted = await graded("--ca-file", "ca.pem", "--proxy", proxy);
  expect([trusted.code, JSON.parse(trusted.out).grade]).toEqual([0, "A"]);
  expect(new Set(tunnels)).toEqual(new Set([`CONNECT ${new URL(url).host} HTTP/1.1`]));
  expect((await graded("--insecure")).code).toBe(0);
}, 30_000);

test("what can't be used is named with its reason, and no password is printed", () => {
  const of = (...args: string[]) => connectionOf(split(args, connectionOptions), folder);
  expect(() => of("--ca-file", "gone.pem")).toThrow('--ca-file "gone.pem" can\'t be read (ENOENT)');
  for (const bad of ["empty.pem", "broken.pem"]) {
    expect(() => of("--ca-file", bad)).toThrow(`--ca-file "${bad}" holds no PEM certificate`);
  }
  expect(() => of("--proxy", "socks5://user:hush@h:1")).toThrow(/socks5:(?!.*hush)/);
  expect(() => of("--proxy", "http://")).toThrow("--proxy is no URL");
  expect(() => of("--proxy", "http://user:100%@h:1")).toThrow("write it as %25");
  expect(() => of("--proxy", "")).toThrow("--proxy is given no value");
  const given = of("--proxy", "http://user:hush-hush@h:1");
  expect(connectionSecrets(given).map(({ value }) => value)).toContain("hush-hush");
});

test("a command takes none of them", async () => {
  const child = spawn(process.execPath, [main, "test", "--insecure", "--", "true"], { stdio: "ignore" });
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(2);
});
