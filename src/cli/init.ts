import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pipelineOf } from "./_init-ci.ts";
import { type Answers, answersOf, configText } from "./_init-config.ts";
import { type Asker, Cancelled } from "./ask.ts";
import { CONFIG_PLACES, loadConfig } from "./config.ts";
import { EXIT } from "./exit.ts";
import { place } from "./place.ts";
import type { Split } from "./split.ts";
import { printError } from "./terminal.ts";
import { GRADES, SPEC_VERSIONS } from "./test-options.ts";
import { UsageError } from "./usage.ts";
import { choice } from "./values.ts";
import { last, type Verb } from "./verb.ts";

const CONFIG = "mcp-assay.config.json";
const ASKED = "What the questions ask";

export const init: Verb = {
  name: "init",
  about: "write a config file, so that mcp-assay test needs no arguments; or a workflow for CI",
  target: "[<url> | <command…>]",
  options: [
    { name: "yes", short: "y", about: "ask nothing; what isn't given gets its default" },
    { name: "force", about: "replace files that are there" },
    { name: "output", value: "<file>", words: "file", about: "the file to write", otherwise: CONFIG },
    { name: "ci", value: "<service>", words: ["github", "gitlab"], about: "write a workflow that runs the tests, too" },
    {
      name: "transport",
      value: "<kind>",
      group: ASKED,
      words: ["http", "stdio", "sse"],
      about: "how the server is reached",
    },
    {
      name: "env",
      short: "E",
      value: "NAME[=VALUE]",
      many: true,
      group: ASKED,
      scope: "stdio",
      about: "a variable that the server needs; without a value, and for credentials, it is read when the tests run",
    },
    {
      name: "auth-env",
      value: "<var>",
      group: ASKED,
      scope: "http",
      about: "the variable that will hold the Authorization header",
    },
    { name: "cwd", value: "<folder>", group: ASKED, scope: "stdio", words: "folder", about: "the folder it starts in" },
    { name: "timeout", value: "<ms>", group: ASKED, about: "how long each request may take" },
    { name: "startup-timeout", value: "<ms>", group: ASKED, about: "how long the first answer may take" },
    {
      name: "spec-version",
      value: "<revision>",
      group: ASKED,
      words: SPEC_VERSIONS,
      about: "the revision to judge by",
    },
    { name: "strict", group: ASKED, about: "exit with 1 if a required check failed or was blocked" },
    {
      name: "min-grade",
      value: "<grade>",
      group: ASKED,
      words: GRADES,
      about: "exit with 1 if the grade is below this one",
    },
  ],
  examples: [
    "mcp-assay init",
    "mcp-assay init --yes --strict -E GITHUB_TOKEN -- node ./dist/server.js",
    "mcp-assay init --yes --auth-env MCP_AUTH https://example.com/mcp",
    "mcp-assay init --ci github",
  ],
  notes: [
    "On a terminal it asks for what the command line leaves open, and before it replaces a file. Elsewhere, and with --yes, it asks nothing.",
  ],
  async run(split) {
    const service = choice(split, "ci", ["github", "gitlab"]);
    const asking = !split.switches.has("yes") && process.stdin.isTTY === true && process.stderr.isTTY === true;
    const cwd = process.cwd();
    const file = last(split, "output") ?? CONFIG;
    const there = service === undefined || given(split) ? undefined : loadConfig(undefined, cwd);
    const asker = asking ? await askerOf() : undefined;
    let answers: Answers | undefined;
    const documents: { readonly path: string; readonly text: string }[] = [];
    if (there?.file === undefined) {
      if (!(await mayWrite(file, split, asker))) return unwritten();
      answers = answersOf(split, cwd);
      if (asker !== undefined) answers = await (await import("./_init-questions.ts")).asked(asker, answers, split);
      if (answers === undefined) return unwritten();
      if (answers.config.target === undefined) {
        throw new UsageError(
          "No target: give the URL of a server (mcp-assay init --yes https://host/mcp) or the command that starts one (mcp-assay init --yes -- node server.js).",
        );
      }
      documents.push({ path: file, text: configText(answers, cwd) });
    }
    const notes = [...(answers?.notes ?? [])];
    if (service !== undefined) {
      const config = there?.config ?? answers?.config ?? {};
      const pipeline = pipelineOf(service, { config, file: there?.file === undefined ? file : CONFIG, cwd });
      if (!(await mayWrite(pipeline.path, split, asker, "take it away"))) return unwritten();
      documents.push(pipeline);
      notes.push(...pipeline.notes);
    }
    asker?.close();
    for (const { path, text } of documents) await place(resolve(cwd, path), text);
    for (const note of notes) await printError(`note: ${note}`);
    const written = documents.map(({ path }) => path);
    await printError(
      `${written.join(" and ")} written. Next: mcp-assay test${isFound(file) ? "" : ` --config ${file}`}`,
    );
    return EXIT.fine;
  },
};

// --- internal ---

/** Whether the command line says anything of a target or of settings. */
const given = ({ words, values, switches }: Split): boolean =>
  words.length > 0 || [...values.keys(), ...switches].some((name) => !["ci", "yes", "force"].includes(name));

const isFound = (file: string): boolean => CONFIG_PLACES.includes(file);

async function unwritten(): Promise<number> {
  await printError("\nNothing was written.");
  return EXIT.interrupted;
}

async function askerOf(): Promise<Asker> {
  const { createAsker } = await import("./ask.ts");
  return createAsker(process.stdin, process.stderr, (error) =>
    error instanceof UsageError ? error.message : undefined,
  );
}

async function mayWrite(
  file: string,
  split: Split,
  asker: Asker | undefined,
  mend = "give --output FILE for another",
): Promise<boolean> {
  if (!existsSync(file) || split.switches.has("force")) return true;
  if (asker !== undefined) {
    return asker.confirm(`${file} is there already. Replace it?`, false).catch((error: unknown) => {
      if (error instanceof Cancelled) return false;
      throw error;
    });
  }
  throw new UsageError(`${file} is there already: ${mend}, or give --force to replace it.`);
}
