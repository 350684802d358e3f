import { isReadOnly, type Tool } from "../../facts/tools.ts";
import type { Exchange } from "../../model/exchange.ts";
import { at } from "../../model/json.ts";
import { rpcError } from "../../model/message.ts";
import { type Outcome, skipped } from "../../model/outcome.ts";
import type { Server } from "../../model/session.ts";
import { type StringArgument, sampleArguments, stringArguments } from "../../schema/sample.ts";

/** An argument of a tool that a probe may fill with text of its own. */
export interface Slot {
  readonly tool: Tool;
  readonly argument: StringArgument;
}

/** One call with that argument filled. */
export interface Filled {
  readonly exchange: Exchange;
  readonly value: string;
  /** All that came back, as JSON or as the text of an HTTP body. */
  readonly text: string;
  /** Whether the tool itself was reached, rather than a check in front of it. */
  readonly reached: boolean;
}

const TOOLS = 4;
const ARGUMENTS = 2;

/** The fitting arguments of the read-only tools, of four at most; where there is none, of the one safest tool. */
export function slotsOf(
  callable: readonly Tool[],
  fits: (argument: StringArgument, tool: Tool) => boolean,
): readonly Slot[] {
  const fitting = callable
    .map((tool) => ({ tool, found: stringArguments(tool.inputSchema).filter((argument) => fits(argument, tool)) }))
    .filter(({ found }) => found.length > 0);
  const reading = fitting.filter(({ tool }) => isReadOnly(tool));
  return (reading.length > 0 ? reading.slice(0, TOOLS) : fitting.slice(0, 1)).flatMap(({ tool, found }) =>
    [...found]
      .sort((a, b) => Number(b.required) - Number(a.required))
      .slice(0, ARGUMENTS)
      .map((argument) => ({ tool, argument })),
  );
}

/**
 * Calls the tool with the slot filled, the rest from its schema. Throws as `attributed` does. Undefined where the tool
 * leaves a plain value unanswered, too: then silence says nothing of this one.
 */
export async function fill(server: Server, slot: Slot, value: string): Promise<Filled | undefined> {
  const exchange = await call(server, slot, value);
  if (await isMute(server, slot, exchange)) return undefined;
  await server.attributed(exchange, { codes: "any" });
  const text = exchange.reply === undefined ? (exchange.http?.body ?? "") : JSON.stringify(exchange.reply);
  return { exchange, value, text, reached: reachedBy(exchange) };
}

/** The baseline, or undefined where the tool does not answer at all: then other rows have judged that. */
export async function baseline(server: Server, slot: Slot, value: string): Promise<Filled | undefined> {
  const exchange = await call(server, slot, value);
  if (exchange.reply === undefined) return undefined;
  return { exchange, value, text: JSON.stringify(exchange.reply), reached: reachedBy(exchange) };
}

/** One call with that argument filled, the rest from its schema. */
export function call(server: Server, { tool, argument }: Slot, value: string): Promise<Exchange> {
  const { args } = sampleArguments(tool.inputSchema);
  return server.send("tools/call", { name: tool.name, arguments: { ...args, [argument.name]: value } });
}

/** Whether a call went unanswered as a plain one does, too, while the server goes on. */
export async function isMute(server: Server, slot: Slot, exchange: Exchange): Promise<boolean> {
  if (exchange.end !== "timeout" || (await server.control()).reply === undefined) return false;
  return (await baseline(server, slot, "assay")) === undefined;
}

/** What to say where no payload got as far as a tool. */
export function unreached(server: Server, id: string, slots: readonly Slot[], payloads: number): Outcome {
  const where = slots.map(nameOf).join(", ");
  server.warn(`${id}: not reached: ${payloads} payloads were rejected before the tool (${where}).`);
  return skipped(`not reached: every payload was rejected before the tool (${where})`);
}

export const nameOf = ({ tool, argument }: Slot): string => `${argument.name} of ${tool.name}`;

/** The words of a name: snake, kebab and camel case are taken apart. */
export const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");

// --- internal ---

/** A JSON-RPC error comes from in front of the tool; so does what SDKs say in an isError result about the schema. */
function reachedBy({ reply }: Exchange): boolean {
  if (reply === undefined || rpcError(reply) !== undefined) return false;
  if (at(reply.result, "isError") !== true) return true;
  return !/-32602|input validation|validation error|invalid arguments/i.test(JSON.stringify(reply.result));
}
