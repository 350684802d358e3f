import { afterAll, expect, test } from "bun:test";
import { createServer } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { CA, GOOD, KEY } from "./certificates.fixture.ts";
import type { Gate } from "./gate.ts";
import { startHttp } from "./http.ts";
import { createRecorder } from "./recorder.ts";

const hits: string[] = [];
const server = createServer((request, response) => {
  hits.push(request.url ?? "");
  response.writeHead(302, { Location: `http://169.254.169.254/` }).end("moved");
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;
afterAll(() => void server.close());

for (const raw of [false, true]) {
  const by = raw ? "a socket of our own" : "node:http";
  const get = (host: string, gate: Gate) =>
    startHttp(
      createRecorder(() => performance.now()),
      { gate },
      {
        ...{ sender: "test", session: 1, method: "POST", url: new URL(`http://${host}:${port}/${by}`), headers: [] },
        ...{ body: "{}", until: "end", timeout: 5000, raw },
      },
    ).done;

  test(`${by}: an address that may not be connected to is refused by name, whatever leads there`, async () => {
    const gate: Gate = {
      refuse: (address) => (address === "127.0.0.1" ? "our own" : undefined),
      resolve: async (host) => (host === "mixed.test" ? ["192.0.2.1", "127.0.0.1"] : ["127.0.0.1"]),
    };
    for (const host of ["127.0.0.1", "2130706433", "localhost", "localhost.", "name.test", "mixed.test"]) {
      const { end, cause, http } = await get(host, gate);
      expect({ host, end, http }).toEqual({ host, end: "unreachable", http: undefined });
      expect(cause).toContain("127.0.0.1");
      expect(cause).toContain("may not be connected to: it is our own (EADDRREFUSED)");
    }
    expect(hits.filter((url) => url.includes(encodeURI(by)))).toEqual([]);
  });

  test(`${by}: what was checked is what is connected to, and each connection is checked`, async () => {
    const answers = [["127.0.0.1"], ["10.0.0.1"]];
    const gate: Gate = {
      refuse: (address) => (address === "127.0.0.1" ? undefined : "elsewhere"),
      resolve: async () => answers.shift() ?? [],
    };
    const first = await get("rebound.test", gate);
    // And a redirect is an answer as any other: nobody goes there.
    expect(first.http?.status).toBe(302);
    const second = await get("rebound.test", gate);
    expect(second.cause).toContain("rebound.test (10.0.0.1) may not be connected to: it is elsewhere");
    const third = await get("rebound.test", gate);
    expect(third.cause).toContain("has no address");
  });

  test(`${by}: where the first address is dead the next is tried`, async () => {
    const gate: Gate = { refuse: () => undefined, resolve: async () => ["::1", "127.0.0.1"] };
    expect((await get("two.test", gate)).http?.status).toBe(302);
    const none: Gate = { refuse: () => undefined, resolve: () => Promise.reject(new Error("no such name")) };
    expect((await get("none.test", none)).cause).toContain("no such name");
  });

  test(`${by}: over https the name is held against the certificate, and the address against the gate`, async () => {
    const secure = createHttps({ key: KEY, cert: GOOD }, (_request, response) => response.end("in"));
    await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
    const at = (secure.address() as AddressInfo).port;
    const ask = (host: string, gate: Gate) =>
      startHttp(
        createRecorder(() => performance.now()),
        { gate, ca: CA },
        {
          ...{ sender: "test", session: 1, method: "POST", url: new URL(`https://${host}:${at}/`), headers: [] },
          ...{ body: "{}", until: "end", timeout: 5000, raw },
        },
      ).done;
    const home = async () => ["127.0.0.1"];
    const right = await ask("mcp.example.com", { refuse: () => undefined, resolve: home });
    expect(right.http?.body).toBe("in");
    const wrong = await ask("mcp.example.org", { refuse: () => undefined, resolve: home });
    expect(wrong.cause).toContain("ERR_TLS_CERT_ALTNAME_INVALID");
    const barred = await ask("mcp.example.com", { refuse: () => "private", resolve: home });
    expect(barred.cause).toContain("may not be connected to");
    secure.close();
  });

  test(`${by}: there is no way around by a proxy`, async () => {
    const done = await startHttp(
      createRecorder(() => performance.now()),
      { gate: { refuse: () => undefined }, proxy: new URL(`http://127.0.0.1:${port}`) },
      {
        ...{ sender: "test", session: 1, method: "POST", url: new URL("http://10.0.0.1/"), headers: [], body: "{}" },
        ...{ until: "end", timeout: 5000, raw },
      },
    ).done;
    expect(done.cause).toContain("no proxy");
  });
}
