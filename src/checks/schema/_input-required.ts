import { at } from "../../model/json.ts";
import type { Message } from "../../model/message.ts";

/** The methods whose answer may be a question back (2026-07-28, basic/patterns/mrtr#supported-requests). */
export const ASKING: readonly string[] = ["tools/call", "resources/read", "prompts/get"];

/** Whether a message is a result that asks for input. */
export const isInputRequired = ({ result }: Message): boolean => at(result, "resultType") === "input_required";
