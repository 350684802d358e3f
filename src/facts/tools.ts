import type { Exchange } from "../model/exchange.ts";
import { absent, defineFact, known } from "../model/fact.ts";
import { at, isObject, type JsonObject } from "../model/json.ts";
import { resultOf } from "../model/message.ts";
import { sampleArguments } from "../schema/sample.ts";
import { lists } from "./lists.ts";

/** A listed tool as far as it can be used: an object with a name. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
  readonly outputSchema: unknown;
  /** All of it, as it was listed. */
  readonly raw: { readonly [key: string]: unknown };
}

export const tools = defineFact<readonly Tool[], { list: typeof lists.tools }>({
  name: "tools",
  needs: { list: lists.tools },
  learn: async ({ list }) => known(toolsIn(list.items)),
});

/**
 * The tools that may be called, the safest first: read-only, then not destructive, then without annotations, then
 * destructive ones only if the user allows it. The others are named in a warning of the run.
 */
export const callable = defineFact<readonly [Tool, ...Tool[]], { tools: typeof tools }>({
  name: "callable tools",
  needs: { tools },
  async learn({ tools }, server) {
    const { usable, left } = ranked(tools, server.allowDestructive);
    if (left.length > 0) {
      server.warn(
        `Tools never called, since they may change things or need a task (--allow-destructive calls the former): ${left.map(({ name }) => name).join(", ")}.`,
      );
    }
    const [first, ...rest] = usable;
    if (first !== undefined) return known([first, ...rest]);
    return absent(
      tools.length === 0 ? "no tool is listed" : "no tool may be called: all are destructive or need a task",
    );
  },
});

/** One call of a tool with arguments made from its schema. */
export interface Call {
  readonly tool: Tool;
  readonly args: JsonObject;
  /** Required arguments whose value had to be invented. */
  readonly guessed: readonly string[];
  readonly exchange: Exchange;
  /** The result of a call that succeeded; undefined for JSON-RPC errors, `isError` and questions back. */
  readonly completed: { readonly [key: string]: unknown } | undefined;
}

const CALLS = 10;

/**
 * Calls of the read-only tools, ten at most and those with an outputSchema first; where there is none, of the one safest
 * tool. None at all where no tool may be called, for checks that judge more than calls.
 */
export const attempts = defineFact<readonly Call[], { tools: typeof tools }>({
  name: "tools/call",
  needs: { tools },
  async learn({ tools }, server) {
    const { usable } = ranked(tools, server.allowDestructive);
    const reading = usable.filter(isReadOnly);
    const structured = reading.filter((tool) => tool.outputSchema !== undefined);
    const chosen = [...new Set([...structured, ...reading])].slice(0, CALLS);
    const made: Call[] = [];
    for (const tool of reading.length > 0 ? chosen : usable.slice(0, 1)) {
      const { args, guessed } = sampleArguments(tool.inputSchema);
      const exchange = await server.send("tools/call", { name: tool.name, arguments: args });
      const result = resultOf(exchange.reply);
      const done = isObject(result) && result["isError"] !== true && result["resultType"] !== "input_required";
      const completed = done ? result : undefined;
      made.push({ tool, args, guessed, exchange, completed });
      // A server that fell silent or died would only be asked in vain.
      if (exchange.end !== "reply" && exchange.end !== "complete") break;
    }
    return known(made);
  },
});

/** The same calls, absent where no tool may be called. */
export const calls = defineFact<readonly Call[], { callable: typeof callable; attempts: typeof attempts }>({
  name: "tools/call",
  needs: { callable, attempts },
  learn: async ({ attempts }) => known(attempts),
});

/** The tools among the listed items that may be called whatever the user allows, the safest first. */
export const safest = (items: readonly unknown[]): readonly Tool[] => ranked(toolsIn(items), false).usable;

/** Whether a tool says of itself that it only reads. */
export const isReadOnly = (tool: Tool): boolean => rankOf(tool) === READ_ONLY;

// --- internal ---

const READ_ONLY = 0;
const NOT_DESTRUCTIVE = 1;
const UNANNOTATED = 2;
const DESTRUCTIVE = 3;
const NEEDS_TASK = 4;

/** The tools that may be called, the safest first, and the others. */
function ranked(tools: readonly Tool[], allowDestructive: boolean) {
  const limit = allowDestructive ? DESTRUCTIVE : UNANNOTATED;
  const sorted = tools.map((tool) => ({ tool, rank: rankOf(tool) })).sort((a, b) => a.rank - b.rank);
  return {
    usable: sorted.filter(({ rank }) => rank <= limit).map(({ tool }) => tool),
    left: sorted.filter(({ rank }) => rank > limit).map(({ tool }) => tool),
  };
}

function rankOf({ raw }: Tool): number {
  const reads = at(raw, "annotations", "readOnlyHint");
  const destroys = at(raw, "annotations", "destructiveHint");
  if (at(raw, "execution", "taskSupport") === "required") return NEEDS_TASK;
  if (reads === true) return READ_ONLY;
  if (destroys === false) return NOT_DESTRUCTIVE;
  // Section schema#toolannotations: where a tool isn't read-only, destructive is the default.
  return reads === undefined && destroys === undefined ? UNANNOTATED : DESTRUCTIVE;
}

const toolsIn = (items: readonly unknown[]): readonly Tool[] =>
  items.flatMap((raw) => {
    const name = at(raw, "name");
    if (!isObject(raw) || typeof name !== "string" || name === "") return [];
    const description = typeof raw["description"] === "string" ? raw["description"] : "";
    return [{ name, description, inputSchema: raw["inputSchema"], outputSchema: raw["outputSchema"], raw }];
  });
