import { faultsOf } from "../matrix/faults.ts";
import { REVISIONS } from "../model/catalog.ts";
import type { World } from "../model/fault.ts";
import { listen } from "../reference/http.ts";
import { createReference } from "../reference/server.ts";
import { serveStdio } from "../reference/stdio.ts";
import type { Split } from "./split.ts";
import { print, printError } from "./terminal.ts";
import { nearest, UsageError } from "./usage.ts";
import { choice } from "./values.ts";
import { last, type Verb } from "./verb.ts";

/** Behaviours of the reference server that are no defects, for `--world`. */
const WORLDS = ["auth", "locked", "json", "stateless", "bare", "mute", "sse", "newest", "era", "host"] as const;

export const serve: Verb = {
  name: "serve",
  about: "be a correct MCP server on stdio or HTTP, or one with a chosen fault",
  operands: "plain",
  options: [
    { name: "http", value: "<port>", about: "listen on this loopback port (0: any) instead of stdio" },
    {
      name: "spec-version",
      value: "<revision>",
      about: "the revision to speak: 2025-11-25 or 2026-07-28 (default: both)",
    },
    { name: "auth", value: "<token>", about: "want this bearer token (HTTP)" },
    { name: "world", value: "<name>", many: true, about: `another behaviour: ${WORLDS.join(", ")}=<revision>` },
    { name: "fault", value: "<id>", many: true, about: "be wrong in this way: <check-id>/<n>, or the fault's name" },
    { name: "list-faults", about: "print all faults, and stop" },
    { name: "json", about: "with --list-faults: as JSON" },
  ],
  examples: ["mcp-assay serve", "mcp-assay serve --http 0", "mcp-assay serve --http 8080 --fault tools-list/1"],
  async run(split) {
    if (split.words.length > 0)
      throw new UsageError(`serve takes no target, and ${JSON.stringify(split.words[0])} is given.`);
    const era = { "2025-11-25": "legacy", "2026-07-28": "modern", both: "dual" } as const;
    const spoken = era[choice(split, "spec-version", REVISIONS) ?? "both"];
    if (split.switches.has("list-faults")) return listFaults(split.switches.has("json"));
    if (split.switches.has("json")) throw new UsageError("--json is for --list-faults: give that, too.");
    const faults = (split.values.get("fault") ?? []).map(faultNamed);
    const worlds = (split.values.get("world") ?? []).map(worldNamed);
    const world: World = Object.assign({ era: spoken }, ...faults.map(({ fault }) => fault.world ?? {}), ...worlds);
    const reference = createReference(
      world,
      faults.map(({ fault }) => fault),
    );
    const http = last(split, "http");
    if (http === undefined) {
      if (split.values.has("auth")) throw new UsageError("--auth is for HTTP: give --http PORT, too.");
      return new Promise((resolve) => {
        serveStdio(reference, { input: process.stdin, output: process.stdout, exit: (code) => resolve(quit(code)) });
      });
    }
    return serveHttp(split, http, reference);
  },
};

// --- internal ---

const quit = (code: number): number => process.exit(code);

async function serveHttp(split: Split, text: string, reference: ReturnType<typeof createReference>): Promise<number> {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new UsageError(`--http ${JSON.stringify(text)} is no port: give a number from 0 (any) to 65535.`);
  }
  const token = last(split, "auth");
  try {
    const { url, close } = await listen(reference, port, token);
    await printError(`listening on ${url}`);
    return new Promise((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const)
        process.on(signal, () => void close().then(() => resolve(0)));
    });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(`Port ${port} can't be listened on (${code}): give another one, or 0 for any.`);
  }
}

function worldNamed(text: string): World {
  const [name = "", value] = text.split("=");
  if (!WORLDS.some((each) => each === name)) {
    throw new UsageError(`--world ${JSON.stringify(text)} is none of ${WORLDS.join(", ")}.`);
  }
  return { [name]: value ?? true };
}

function faultNamed(name: string) {
  const all = faultsOf();
  const found = all.find((each) => each.id === name || each.fault.name === name);
  if (found !== undefined) return found;
  const meant = nearest(name, [...all.map((each) => each.id), ...all.map((each) => each.fault.name)]);
  throw new UsageError(
    `There is no fault ${JSON.stringify(name)}: ${meant === undefined ? "see mcp-assay serve --list-faults" : `did you mean ${meant}?`}`,
  );
}

async function listFaults(json: boolean): Promise<number> {
  const all = faultsOf().map(({ id, check, fault }) => ({
    id,
    check: check.id,
    name: fault.name,
    alsoFails: fault.alsoFails ?? [],
    transports: fault.on === undefined ? ["http", "stdio"] : [fault.on],
  }));
  await print(
    json
      ? JSON.stringify(all, null, 2)
      : all.map(({ id, name }) => `${id.padEnd(40)} a server that ${name}`).join("\n"),
  );
  return 0;
}
