import * as v from "valibot";
import { isObject, kindOf } from "../model/json.ts";
import { oneLine } from "../text/escape.ts";
import { ConfigSchema } from "./config-schema.ts";
import { nearest } from "./usage.ts";

/** What is wrong with one field, and what to write instead. */
export function complaintOf(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue) ?? "";
  const key = path.split(".").at(-1) ?? "";
  if (issue.type === "strict_object" && issue.expected === "never") return unknown(issue, path, key);
  if (issue.received === "undefined") return `${path} is missing: give ${wanted(issue, key)}.`;
  if (issue.type === "variant" && !path.endsWith(".type")) {
    return `${path} is ${shown(issue.input)}: give an object such as { "type": "http", "url": "https://host/mcp" }.`;
  }
  // What stands there may be a credential that lost its quotes or gained brackets.
  if (/^target\.(headers|env)\b/.test(path)) return `${path} is ${kindOf(valueAt(issue))}: give ${issue.message}.`;
  const words = wordsOf(issue);
  const meant = typeof issue.input === "string" ? nearest(issue.input, words) : undefined;
  const hint = meant === undefined ? "" : ` Did you mean ${JSON.stringify(meant)}?`;
  return `${path} is ${shown(valueAt(issue))}: give ${issue.message}.${hint}`;
}

// --- internal ---

function unknown(issue: v.BaseIssue<unknown>, path: string, key: string): string {
  const parent = path.split(".").slice(0, -1).join(".");
  const siblings = fieldsAt(parent, issue.path?.at(-1)?.input);
  const meant = nearest(key, siblings) ?? siblings.find((each) => each.toLowerCase() === key.toLowerCase());
  const where = parent === "" ? "" : ` in ${parent}`;
  return `there is no field ${shown(key)}${where}: ${
    meant === undefined ? `the fields are ${siblings.join(", ")}` : `did you mean ${JSON.stringify(meant)}?`
  }`;
}

/** The names that would be right beside an unknown one. */
function fieldsAt(parent: string, beside: unknown): readonly string[] {
  if (parent === "") return Object.keys(ConfigSchema.entries).filter((name) => !name.startsWith("$"));
  const stdio = isObject(beside) && beside["type"] === "stdio";
  return stdio ? ["type", "command", "args", "env", "cwd"] : ["type", "url", "headers"];
}

const wanted = (issue: v.BaseIssue<unknown>, key: string): string => {
  if (issue.type === "variant") return issue.message;
  if (key === "url") return "the URL of the server";
  return key === "command" ? "the command that starts the server" : "it";
};

/** The offending value; of a variant's the word that chooses, not the whole object. */
const valueAt = (issue: v.BaseIssue<unknown>): unknown => issue.path?.at(-1)?.value ?? issue.input;

const wordsOf = ({ expected }: v.BaseIssue<unknown>): readonly string[] =>
  [...(expected ?? "").matchAll(/"([^"]*)"/g)].map(([, word = ""]) => word);

function shown(value: unknown): string {
  return oneLine(JSON.stringify(value) ?? "undefined", 60);
}
