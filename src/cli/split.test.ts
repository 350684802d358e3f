import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Option, shellWords, split } from "./split.ts";
import { testOptions } from "./test-options.ts";

/** What the older tools take and ours will: known to the splitter of these tests only. */
const later: readonly Option[] = ["output", "env-file", "package", "out", "baseline", "config", "retries"].map(
  (name) => ({
    name,
    value: "<x>",
    about: "",
  }),
);
const switchesLater: readonly Option[] = ["watch", "publishability", "json"].map((name) => ({ name, about: "" }));
const options = [...testOptions, ...later, ...switchesLater];
const of = (line: string) => {
  const { words, values, switches } = split(shellWords(line), options);
  return { words, values: Object.fromEntries(values), switches: [...switches] };
};
const trouble = (line: string): string => {
  try {
    of(line);
    return "none";
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : "?";
  }
};

describe("a command line is split as its user meant it", () => {
  const cases: readonly [line: string, words: readonly string[], values?: object, switches?: readonly string[]][] = [
    ["https://h/mcp --format json --strict", ["https://h/mcp"], { format: ["json"] }, ["strict"]],
    ["--strict https://h/mcp", ["https://h/mcp"], {}, ["strict"]],
    ['https://h/mcp -H "A: 1" -H "B: 2" --header="C: 3"', ["https://h/mcp"], { header: ["A: 1", "B: 2", "C: 3"] }],
    ["npx -y @scope/server /tmp", ["npx", "-y", "@scope/server", "/tmp"]],
    ["npx -y @scope/server --strict --port 3000", ["npx", "-y", "@scope/server", "--port", "3000"], {}, ["strict"]],
    ["node ./server.js --output badge.svg", ["node", "./server.js"], { output: ["badge.svg"] }],
    ["--verbose -- node ./server.js --verbose", ["node", "./server.js", "--verbose"], {}, ["verbose"]],
    ["-E A=1 -E B=2 -- npx my-server", ["npx", "my-server"], { env: ["A=1", "B=2"] }],
    ["-EA=1 -- x", ["x"], { env: ["A=1"] }],
    ["node -e 'console.log(1)' --foo=bar -xyz", ["node", "-e", "console.log(1)", "--foo=bar", "-xyz"]],
    ["-- node server.js -- --deep", ["node", "server.js", "--", "--deep"]],
    ["node server.js -- --strict", ["node", "server.js", "--strict"]],
    ["uvx mcp-server-git --skip security", ["uvx", "mcp-server-git"], { skip: ["security"] }],
  ];
  for (const [line, words, values = {}, switches = []] of cases) {
    test(line, () => expect<unknown>(of(line)).toEqual({ words, values, switches: [...switches] }));
  }
});

test("a mistake names the input, the reason and the mend", () => {
  expect(trouble("--strickt https://h/mcp")).toStartWith(
    "UsageError: Unknown option --strickt: did you mean --strict?",
  );
  expect(trouble("https://h/mcp --fromat json")).toStartWith(
    "UsageError: Unknown option --fromat: did you mean --format?",
  );
  expect(trouble("https://h/mcp other")).toContain('"other" stands after the URL https://h/mcp');
  expect(trouble("https://h/mcp -- node x")).toContain("both a URL (https://h/mcp) and a command");
  expect(trouble("https://h/mcp --timeout")).toContain("--timeout needs a value: --timeout <ms>");
  expect(trouble("https://h/mcp --auth --only tools")).toContain("--auth needs a value: --auth <value>");
  expect(trouble("https://h/mcp --auth=--only")).toBe("none");
  expect(trouble("x --timeout 1 --timeout 2")).toContain("--timeout is given twice");
  expect(() => shellWords("node 'x")).toThrow("has a ' that is never closed");
});

test("one word is split as a POSIX shell would, without expansion", () => {
  const line = `npx -y 'a b' "c \\" d" e\\ f "" $HOME *`;
  expect([...shellWords(line)]).toEqual(["npx", "-y", "a b", 'c " d', "e f", "", "$HOME", "*"]);
});

const seeds = fileURLToPath(new URL("../../../shared/seeds/", import.meta.url));
if (!existsSync(seeds))
  console.warn("SKIPPED: the example lines of the two documents, since ../shared/seeds is absent");
test.skipIf(!existsSync(seeds))("every example line of both documents is split without loss", () => {
  const text = ["mcp-compliance.ja.txt", "mcp-probe.ja.txt"]
    .map((file) => readFileSync(`${seeds}${file}`, "utf8"))
    .join("\n");
  const lines = [
    ...text.matchAll(
      /^ *(?:npx (?:@yawlabs\/mcp-compliance@latest|@incultnitollc\/mcp-probe)|mcp-compliance|mcp-probe) (?:test|gate|diff|record|score|benchmark) ([ -~]+?)(?: [|>] ?.*| \\)?$/gm,
    ),
  ];
  expect(lines.length).toBeGreaterThan(30);
  for (const [, line = ""] of lines) {
    const words = shellWords(line.replace(/ #.*$/, "").replaceAll(/\$\{\{ (\S+) \}\}/g, "$1"));
    const {
      values,
      switches,
      words: target,
    } = split(words, [
      ...options,
      { name: "runs", short: "r", value: "<n>", about: "" },
      { name: "clients", short: "c", value: "<n>", about: "" },
    ]);
    const kept = target.length + switches.size + [...values.values()].flat().length * 2;
    expect([line, kept]).toEqual([line, words.filter((word) => word !== "--").length]);
  }
});
