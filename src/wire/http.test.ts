import { afterAll, expect, test } from "bun:test";
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import type { Header } from "../model/exchange.ts";
import { type HttpOutgoing, startHttp } from "./http.ts";
import { createRecorder } from "./recorder.ts";

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function listening(server: Server): Promise<URL> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp?x=1`);
}
const http = (how: (request: IncomingMessage, response: ServerResponse) => void) =>
  listening(createHttp(how) as Server);
/** A server that says exactly these bytes, and tells what it got. */
async function bytes(answer: string, keepOpen = false) {
  let got = "";
  const url = await listening(
    createServer((socket) => {
      socket.on("data", (part) => {
        got += part.toString("latin1");
        if (!got.includes("\r\n\r\n")) return;
        if (keepOpen) socket.write(answer, "latin1");
        else socket.end(answer, "latin1");
      });
      socket.on("error", () => {});
    }),
  );
  return { url, got: () => got };
}
const send = (url: URL, more: Partial<HttpOutgoing> = {}) =>
  startHttp(
    createRecorder(() => performance.now()),
    {},
    { sender: "test", session: 1, method: "POST", url, headers: [], until: "end", timeout: 2000, ...more },
  ).done;

const ours: readonly Header[] = [
  ["X-b", "1"],
  ["x-B", "2"],
  ["Accept", "a, b"],
];

for (const raw of [false, true]) {
  const by = raw ? "a socket of our own" : "node:http";

  test(`nothing is added to a request but host, length and connection, by ${by}`, async () => {
    const { url, got } = await bytes("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
    const exchange = await send(url, { headers: ours, body: "{}", raw });
    expect(got()).toBe(
      `POST /mcp?x=1 HTTP/1.1\r\nHost: ${url.host}\r\nX-b: 1\r\nx-B: 2\r\nAccept: a, b\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n{}`,
    );
    expect([exchange.http?.status, exchange.http?.bytes, exchange.end]).toEqual([202, 0, "complete"]);
  });

  test(`a body goes out with its head, by ${by}`, async () => {
    // In a process of its own, which sees what comes as it comes.
    const script = `let n=0;require("node:net").createServer(s=>{s.on("error",()=>{});s.once("data",d=>{if(!String(d).endsWith("{}"))n++;s.on("data",()=>{});setTimeout(()=>s.end("HTTP/1.1 202 Accepted\\r\\nX-Torn: "+n+"\\r\\nContent-Length: 0\\r\\n\\r\\n"),1)})}).listen(0,"127.0.0.1",function(){console.log(this.address().port)})`;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
    try {
      const { value } = await child.stdout.getReader().read();
      const url = new URL(
        `http://127.0.0.1:${Buffer.from(value ?? [])
          .toString()
          .trim()}/mcp`,
      );
      let torn: string | undefined;
      for (let round = 0; round < 100; round++) {
        const { http: reply } = await send(url, { body: "{}", raw });
        torn = reply?.headers.find(([name]) => name === "X-Torn")?.[1];
      }
      expect(torn).toBe("0");
    } finally {
      child.kill();
    }
  });

  test(`headers keep their case, order and doubles, by ${by}`, async () => {
    const { url } = await bytes("HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a: 2\r\nContent-Length: 2\r\n\r\n{}");
    const { http: reply } = await send(url, { raw });
    expect(reply?.headers).toEqual([
      ["X-A", "1"],
      ["x-a", "2"],
      ["Content-Length", "2"],
    ]);
  });

  test(`a redirect is reported, not followed, by ${by}`, async () => {
    const { url } = await bytes("HTTP/1.1 307 Moved\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n");
    expect((await send(url, { raw })).http?.status).toBe(307);
  });

  test(`a body that breaks off is told from one that ends, by ${by}`, async () => {
    const { url } = await bytes("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{}");
    const exchange = await send(url, { raw });
    expect([exchange.end, exchange.http?.ended, exchange.http?.body]).toEqual(["closed", false, "{}"]);
  });

  test(`an answer that is no HTTP is a broken connection, by ${by}`, async () => {
    const { url } = await bytes("SSH-2.0-OpenSSH\r\n\r\n");
    const exchange = await send(url, { raw });
    expect([exchange.end, exchange.http]).toEqual(["closed", undefined]);
  });

  test(`a port where nobody listens is unreachable, by ${by}`, async () => {
    const exchange = await send(new URL("http://127.0.0.1:1/mcp"), { raw });
    expect(exchange.end).toBe("unreachable");
    expect(exchange.cause).toContain("ECONNREFUSED");
  });

  test(`chunks are joined, whatever their cut, by ${by}`, async () => {
    const url = await http((_, response) => {
      response.setHeader("content-type", "application/json");
      response.write('{"jsonrpc":"2.0","id":');
      response.end('7,"result":{"t":"é"}}');
    });
    const exchange = await send(url, { raw, until: { reply: 7 } });
    expect(exchange.reply).toEqual({ jsonrpc: "2.0", id: 7, result: { t: "é" } });
  });
}

test("a stream that stays open is left as soon as the reply is there; what came before is kept", async () => {
  let closed = false;
  const url = await http((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    response.write(": hi\n\nid: 1\ndata:\n\n");
    response.write('data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n');
    response.write('event: message\ndata: {"jsonrpc":"2.0","id":"a","result":{}}\n\n');
    response.on("close", () => {
      closed = true;
    });
  });
  const exchange = await send(url, { until: { reply: "a" } });
  expect(exchange.end).toBe("reply");
  expect(exchange.received.map(({ from }) => from)).toEqual(["sse", "sse"]);
  expect(exchange.http?.events.length).toBe(3);
  expect(exchange.http?.ended).toBe(false);
  // The server sees that we have gone, so nothing of ours lingers there.
  for (let i = 0; i < 50 && !closed; i++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(closed).toBe(true);
});

test("silence ends with a time-out, and an endless body with the cap", async () => {
  const mute = await http(() => {});
  expect((await send(mute, { timeout: 60 })).end).toBe("timeout");
  const endless = await http((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(1 << 20)));
    };
    response.on("drain", more);
    more();
  });
  const exchange = await send(endless, { timeout: 20_000 });
  expect([exchange.http?.truncated, exchange.http?.ended]).toEqual([true, false]);
});

test("an id of another type is no reply", async () => {
  const url = await http((_, response) => response.end('{"jsonrpc":"2.0","id":"1","result":{}}'));
  const exchange = await send(url, { until: { reply: 1 } });
  expect([exchange.end, exchange.reply, exchange.received[0]?.message?.id]).toEqual(["complete", undefined, "1"]);
});
