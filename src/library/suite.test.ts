import { afterAll, expect, test } from "bun:test";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  benchmarkServer,
  computeScore,
  diagnoseServer,
  formatRun,
  runComplianceSuite,
  runSuite,
  serveReference,
  specBaseFor,
  type TestDocument,
} from "../index.ts";
import { stubborn } from "./stubborn.fixture.ts";

const MAIN = join(import.meta.dir, "../main.ts");
const quick = { specVersion: "2025-11-25", only: ["tools"] } as const;
const reference = await serveReference({ faults: ["tools-call-unknown/1"] });
afterAll(() => reference.close());

test("a URL is graded, and every test is told as it falls, as the report has it", async () => {
  const told: TestDocument[] = [];
  const progress: unknown[] = [];
  const report = await runComplianceSuite(reference.url, {
    ...{ specVersion: "2025-11-25", only: ["tools", "tools-call-unknown", "resources-list"] },
    onTestComplete: (result) => told.push(result),
    onProgress: (id, passed) => progress.push([id, passed]),
  });
  expect(report).toMatchObject({ schemaVersion: "1", specVersion: "2025-11-25", overall: "partial" });
  expect([report.toolNames[0], report.resourceNames[0]]).toEqual(["echo", "first"]);
  expect(new Set(told)).toEqual(new Set(report.tests));
  expect(progress).toContainEqual(["tools-call-unknown", false]);
  const { grade, score, overall, summary, categories } = report;
  expect(computeScore(report.tests)).toEqual({ grade, score, overall, summary, categories });
}, 30_000);

test("a command is graded; the other forms of the report are made of the same run", async () => {
  const run = await runSuite({ type: "stdio", command: process.execPath, args: [MAIN, "serve"] }, quick);
  expect(run.document).toMatchObject({ grade: "A", environment: { transport: "stdio" } });
  expect(JSON.parse(formatRun(run, "json"))).toEqual(run.document);
  expect(formatRun(run, "badge")).toStartWith("<svg");
  expect(formatRun(run, "transcript").split("\n").length).toBeGreaterThan(2);
}, 30_000);

test("no secret of the target is in the report, though the server repeats all that it hears", async () => {
  const heard: string[] = [];
  const parrot = createServer((request, response) => {
    heard.push(request.headers.authorization ?? "");
    response.end(JSON.stringify([request.headers, request.url]));
  });
  await new Promise<void>((resolve) => parrot.listen(0, "127.0.0.1", resolve));
  const { port } = parrot.address() as AddressInfo;
  const { document, ...run } = await runSuite(
    {
      type: "http",
      url: `http://user:passw0rd!@127.0.0.1:${port}/mcp?api_key=qu3rys3cret`,
      headers: { "X-Api-Key": "h3aders3cret" },
    },
    quick,
  );
  parrot.close();
  expect(heard).toContain(`Basic ${Buffer.from("user:passw0rd!").toString("base64")}`);
  const all = JSON.stringify(document) + formatRun({ document, ...run }, "transcript");
  for (const secret of ["passw0rd!", "qu3rys3cret", "h3aders3cret", Buffer.from("user:passw0rd!").toString("base64")]) {
    expect(all).not.toContain(secret);
  }
}, 30_000);

test("the other verbs that contact a server are functions, too", async () => {
  const found = await diagnoseServer(reference.url);
  expect(found).toMatchObject({ kind: "diagnosis", ok: true, cause: null });
  expect((await diagnoseServer("http://169.254.169.254/", { addresses: "no-metadata" })).ok).toBe(false);
  const measured = await benchmarkServer(reference.url, { requests: 5 });
  expect(measured).toMatchObject({ kind: "benchmark", succeeded: 5, failed: 0 });
  await expect(benchmarkServer(reference.url, { tool: "no-such" })).rejects.toThrow(/lists no tool "no-such"/);
}, 30_000);

test("what is no target and no option is a TypeError that says so", async () => {
  const wrong: readonly (readonly [() => Promise<unknown>, RegExp])[] = [
    [() => runComplianceSuite("ftp://host/"), /ftp:\/\/host\/" is no http/],
    [() => runComplianceSuite(""), /is no http/],
    [() => runComplianceSuite(undefined as unknown as string), /no URL, and its type is undefined: give a URL/],
    [() => runComplianceSuite({ type: "htp", url: reference.url } as unknown as string), /its type is "htp"/],
    [() => runComplianceSuite({ type: "stdio", command: "" }), /needs a command/],
    [
      () => runComplianceSuite({ type: "stdio", command: "x", args: "y" as unknown as string[] }),
      /args "y" is no list/,
    ],
    [() => runComplianceSuite(reference.url, { only: "tools" as unknown as string[] }), /only "tools" is no list/],
    [async () => specBaseFor("2024-11-05" as "2025-11-25"), /"2024-11-05" is none of 2025-11-25/],
    [() => runComplianceSuite(reference.url, { timeout: 0 }), /timeout 0 is no whole number/],
    [() => runComplianceSuite(reference.url, { retries: 1.5 }), /retries 1\.5/],
    [() => runComplianceSuite(reference.url, { specVersion: "2024-11-05" as "auto" }), /specVersion "2024-11-05"/],
    [() => runComplianceSuite(reference.url, { headers: { "a b": "x" } }), /"a b" is no header name/],
    [() => runComplianceSuite(reference.url, { auth: "a\nb" }), /Authorization/],
    [() => runComplianceSuite(reference.url, { addresses: "some" as "any" }), /addresses "some"/],
  ];
  for (const [call, message] of wrong) await expect(call()).rejects.toThrow(message);
});

test("an aborted run ends its process and its connections at once, and says that it is partial", async () => {
  const aborted = async (target: Parameters<typeof runComplianceSuite>[0], ready: Promise<unknown>) => {
    const controller = new AbortController();
    // Longer than this test may take: nothing here ends by running out of time.
    const times = { timeout: 300_000, startupTimeout: 300_000, preflightTimeout: 300_000 };
    const run = runComplianceSuite(target, { specVersion: "2025-11-25", signal: controller.signal, ...times });
    await ready;
    controller.abort();
    return run;
  };

  const { code, born, close } = await stubborn();
  const stdio = await aborted({ type: "stdio", command: process.execPath, args: ["-e", code] }, born);
  const pid = await born;
  close();
  expect(stdio.partial).toBe("interrupted");
  expect(() => process.kill(pid, 0)).toThrow();

  let come: () => void = () => {};
  let gone: () => void = () => {};
  const connected = new Promise<void>((resolve) => {
    come = resolve;
  });
  const closed = new Promise<void>((resolve) => {
    gone = resolve;
  });
  const silent = createServer((request) => {
    request.socket.on("close", () => gone());
    come();
  });
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const http = await aborted(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/mcp`, connected);
  await closed;
  expect(http.partial).toBe("interrupted");
  expect(http.tests.every(({ status }) => status === "skipped")).toBe(true);
  silent.close();
}, 30_000);
