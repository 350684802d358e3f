import { describe, expect, test } from "bun:test";
import { alone } from "../../matrix/alone.ts";
import type { Fault, World } from "../../model/fault.ts";
import { spawned } from "../_spawned.ts";
import { checks } from "../index.ts";

const REVISION = "2026-07-28";
const MINUTE = 60_000;

const modern = (id: string, bend?: Fault["apply"], world?: World) => alone(id, bend, world, REVISION);

const started = (id: string, script?: string, world?: World) =>
  spawned(id, {
    revision: REVISION,
    ...(script === undefined ? {} : { script }),
    ...(world === undefined ? {} : { world }),
  });

const DISCOVERY = `{ resultType: "complete", supportedVersions: ["${REVISION}"], capabilities: {}, ttlMs: 0, cacheScope: "private" }`;

/** Speaks both eras, and lets the first request that is no server/discover decide for good; never looks at versions then. */
const FLIPPING = `
  let era;
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    const meta = params?._meta ?? {};
    const version = meta["io.modelcontextprotocol/protocolVersion"];
    const say = (answer) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
    const no = (code, data) => say({ error: { code, message: "no", data } });
    if (era === undefined && version !== "${REVISION}" && version !== undefined)
      return no(-32022, { supported: ["${REVISION}"], requested: version });
    if (method !== "server/discover" || version === undefined) era ??= version === undefined ? "legacy" : "modern";
    if (era === "legacy" || method !== "server/discover") return no(-32601);
    return version === undefined ? no(-32602) : say({ result: ${DISCOVERY} });
  });`;

/** Speaks both eras, and reads every request that names no version as one of the older revision. */
const EITHER = `
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    const modern = (params?._meta ?? {})["io.modelcontextprotocol/protocolVersion"] !== undefined;
    const say = (answer) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
    const info = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "either", version: "1" } };
    if (modern && method === "server/discover") return say({ result: ${DISCOVERY} });
    if (!modern && method === "initialize") return say({ result: info });
    if (id !== undefined) say({ error: { code: -32601, message: "no" } });
  });`;

describe("a dual-era process that reads requests without a version as older ones", () => {
  for (const id of ["lifecycle-meta-required", "lifecycle-meta-protocol-version-required"]) {
    test(`${id} is not measured there`, async () => {
      expect(await started(id, EITHER)).toMatchObject({
        status: "skipped",
        because: expect.stringContaining("dual-era"),
      });
    });
  }
});

describe("lifecycle-discover", () => {
  test("is blocked where a credential is wanted", async () => {
    expect(await modern("lifecycle-discover", undefined, { locked: true })).toMatchObject({
      status: "blocked",
      by: "authorization",
    });
  });

  test("is blocked where a web page answers in the server's place", async () => {
    const outcome = await modern("lifecycle-discover", (server) =>
      server.gate(() => ({ status: 404, headers: [["Content-Type", "text/html"]], body: "<h1>Not found</h1>" })),
    );
    expect(outcome).toMatchObject({ status: "blocked", by: "opening" });
  });

  test("tells a legacy-only server, which the checks behind it can't judge", async () => {
    for (const outcome of [
      await modern("lifecycle-discover", undefined, { era: "legacy" }),
      await modern("lifecycle-discover", undefined, { era: "legacy", stateless: true }),
    ]) {
      expect(outcome).toMatchObject({ status: "fail", actual: expect.stringContaining("legacy-only") });
    }
    for (const id of ["lifecycle-meta-required", "lifecycle-version-unsupported", "lifecycle-removed-methods"]) {
      expect(await modern(id, undefined, { era: "legacy" })).toMatchObject({ status: "blocked", by: "opening" });
    }
  });

  test(
    "fails a process that ends after one answer",
    async () => {
      const script = `process.stdin.once("data", (line) => {
        const { id } = JSON.parse(line);
        console.log(JSON.stringify({ jsonrpc: "2.0", id, result: ${DISCOVERY} }));
        process.exit(0);
      });`;
      expect(await started("lifecycle-discover", script)).toMatchObject({
        status: "fail",
        actual: "the server went away: exited with code 0",
      });
    },
    MINUTE,
  );
});

describe("lifecycle-discover-versions", () => {
  test("takes names of drafts, and says so", async () => {
    const outcome = await modern("lifecycle-discover-versions", (server) =>
      server.put("server/discover", ["supportedVersions"], ["DRAFT-2027-v1", REVISION]),
    );
    expect(outcome).toMatchObject({ status: "pass", note: '"DRAFT-2027-v1" is no date' });
  });
});

describe("a process that lets its first request decide the era", () => {
  test(
    "is judged in this one",
    async () => {
      for (const id of ["lifecycle-meta-required", "lifecycle-meta-protocol-version-required"]) {
        expect([id, (await started(id, FLIPPING))?.status]).toEqual([id, "pass"]);
      }
    },
    MINUTE,
  );

  test(
    "refuses a version while it is fresh, and is told that it serves it later",
    async () => {
      expect(await started("lifecycle-version-unsupported", FLIPPING)).toMatchObject({
        status: "pass",
        note: expect.stringContaining("2099-01-01 is served as well"),
      });
    },
    MINUTE,
  );
});

describe("what an informational check says", () => {
  const told = checks.flatMap(({ id, cases = [] }) => cases.map((each) => ({ id, ...each })));

  for (const { id, name, world, text } of told) {
    test(
      `of a server that is ${name}`,
      async () => {
        const saw = { status: "pass", saw: expect.stringMatching(new RegExp(`^${text}`)) };
        expect(await modern(id, undefined, world)).toMatchObject(saw);
        expect(await started(id, undefined, world)).toMatchObject(saw);
      },
      MINUTE,
    );
  }
});
