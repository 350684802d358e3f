import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expectInert } from "../report/_inert.ts";
import { validDocument } from "../report/_valid.ts";
import { FORMATS } from "../report/format-names.ts";
import { assay, type Ran } from "./binary.fixture.ts";
import { hostileAnswer } from "./hostile.fixture.ts";

const FIXTURE = fileURLToPath(new URL("hostile.fixture.ts", import.meta.url));
/** One for every place that a user can put a secret in. */
const SECRETS = {
  header: "s3cr3t-header-5f4dcc3b5aa765d6",
  auth: "s3cr3t/auth+1d8327deb882cf99",
  user: "s3cr3t-user-9e107d9d372bb682",
  password: "s3cr3t:pass%23:9a0364b9e99bb480",
  cookie: "s3cr3t-cookie-d41d8cd98f00b204",
  query: "s3cr3t-query-6bd81ee9c1d9a0f2",
  env: "s3cr3t-env-e4d909c290d0fb1c",
};
const PARTS = Object.values(SECRETS).flatMap((each) => [
  each.slice(0, 12),
  each.slice(-12),
  ...[0, 1, 2].map((lead) =>
    Buffer.concat([Buffer.alloc(lead, "x"), Buffer.from(each)])
      .toString("base64")
      .slice(4, 20),
  ),
]);

/** The checks that quote what a server said, and take little time. */
const QUOTING = [
  ...["tools", "prompts", "resources", "errors", "schema", "lifecycle-init", "lifecycle-server-info"],
  ...["lifecycle-jsonrpc", "lifecycle-instructions", "lifecycle-ping", "security-tool-cross-reference"],
  ...["security-tool-description-poisoning", "security-error-no-stacktrace"],
].join(",");

/** A run with every output there is. */
async function everything(folder: string, args: readonly string[]): Promise<Ran> {
  const outputs = FORMATS.flatMap((format) => ["--format", `${format}=${join(folder, format)}`]);
  return assay(
    [
      ...["test", "--spec-version", "2025-11-25", "--timeout", "1500", "--verbose", "--only", QUOTING, ...outputs],
      ...["--transcript", join(folder, "transcript"), "--output", join(folder, "badge.svg"), ...args],
    ],
    { env: { CI: "true", GITHUB_STEP_SUMMARY: join(folder, "summary") } },
  );
}

let server: Server | undefined;
let url = "";
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    let message: unknown;
    try {
      message = JSON.parse(Buffer.concat(chunks).toString());
    } catch {
      message = { id: null };
    }
    const { authorization = "", "x-api-key": key = "" } = request.headers;
    const { env: _, ...given } = SECRETS;
    const echoed = [authorization, String(key), String(request.url), ...Object.values(given)];
    response.setHeader("Content-Type", "application/json");
    response.setHeader("X-Echo", `${authorization} ${key} ##[error]evil <script>`);
    if (typeof message !== "object" || message === null || !("id" in message)) response.writeHead(202).end();
    else response.end(hostileAnswer(message, echoed));
  });
  await new Promise<void>((listening) => server?.listen(0, "127.0.0.1", listening));
  const address = server.address();
  url = `127.0.0.1:${typeof address === "object" ? address?.port : ""}/mcp`;
});
afterAll(() => void server?.close());

const kinds: readonly (readonly [name: string, args: () => readonly string[]])[] = [
  [
    "over HTTP",
    () => [
      ...["-H", `X-Api-Key: ${SECRETS.header}`, "--auth", `Bearer ${SECRETS.auth}`],
      ...["-H", `Cookie: theme=dark; id=${SECRETS.cookie}`],
      `http://${SECRETS.user}:${SECRETS.password}@${url}?api_key=${SECRETS.query}`,
    ],
  ],
  ["on stdio", () => ["-E", "ECHO=1", "-E", `DEMO_KEY=${SECRETS.env}`, "--", process.execPath, FIXTURE]],
];
for (const [name, args] of kinds) {
  describe(`a server that writes hostile text into every string, ${name}`, () => {
    let folder = "";
    let ran: Ran | undefined;
    const written = (file: string): string => readFileSync(join(folder, file), "utf8");
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "assay-hostile-"));
      ran = await everything(folder, args());
    }, 120_000);
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    for (const format of FORMATS) {
      test(`${format} is inert`, async () => {
        // What is left in a file is no line of a log yet.
        const text = written(format);
        expect(text).toContain("evil");
        await expectInert[format](format === "terminal" ? (ran?.out ?? "") : text);
      }, 60_000);
    }
    test("the transcript is inert, and nothing on stderr steers a terminal or a CI system", async () => {
      await expectInert.transcript(written("transcript"));
      await expectInert.terminal(ran?.err ?? "");
      await expectInert.markdown(written("summary"));
    });
    test("no hostile text is a fault of ours", () => {
      const { tests } = validDocument(written("json"));
      expect(tests.filter(({ status }) => status === "error")).toEqual([]);
      expect(tests.filter(({ passed, evidence }) => !passed && evidence[0]?.repro === undefined)).toEqual([]);
      expect(tests.length).toBeGreaterThan(25);
    });
    test("no secret is in any of it", () => {
      const files = [...FORMATS, "transcript", "badge.svg", "summary"].map((file) => [file, written(file)] as const);
      for (const [place, text] of [...files, ["stdout", ran?.out ?? ""], ["stderr", ran?.err ?? ""]] as const) {
        expect(text.length).toBeGreaterThan(100);
        expect([place, PARTS.filter((part) => text.includes(part))]).toEqual([place, []]);
      }
    });
  });
}

test("a mistake on the command line is told without the secrets around it", async () => {
  const { user, query, header, env } = SECRETS;
  const mistakes: readonly (readonly string[])[] = [
    ["test", `http://${user}:${user}@host:99999/`],
    ["test", `http://${user}:${user}@127.0.0.1:1/`, "more"],
    ["test", `http://127.0.0.1:1/?api_key=${query}`, "--", "node"],
    [`http://${user}:${user}@host/`],
    ["test", "-H", header, "http://127.0.0.1:1/"],
    ["test", "-E", env, "--", "node"],
  ];
  for (const { code, out, err } of await Promise.all(mistakes.map((args) => assay(args)))) {
    expect([code, out]).toEqual([2, ""]);
    expect(PARTS.filter((part) => err.includes(part))).toEqual([]);
  }
}, 60_000);
