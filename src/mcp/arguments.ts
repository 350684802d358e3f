import { fromJsonSchema } from "@modelcontextprotocol/server";
import { isObject } from "../model/json.ts";
import { oneLine } from "../text/escape.ts";
import { nearest } from "../text/nearest.ts";

/** A JSON Schema of a tool's arguments, closed. */
export interface ArgumentsSchema {
  readonly type: string;
  readonly required: readonly string[];
  readonly additionalProperties: boolean;
  readonly properties: Readonly<Record<string, { readonly enum?: readonly string[]; readonly description: string }>>;
}

/** What a tool takes: checked by the SDK, with complaints that name the argument and what would be right. */
export function argumentsOf<T>(schema: ArgumentsSchema) {
  const { "~standard": standard } = fromJsonSchema<T>({ ...schema });
  return {
    "~standard": {
      ...standard,
      async validate(given: unknown) {
        const result = await standard.validate(given);
        if (result.issues === undefined) return result;
        const message = result.issues[0]?.message ?? "not as the schema says";
        return { issues: [{ message: complaint(schema, given, message) }] };
      },
    },
  };
}

// --- internal ---

function complaint({ properties, required }: ArgumentsSchema, given: unknown, message: string): string {
  const known = Object.keys(properties);
  if (!isObject(given)) return `the arguments are no object of ${known.join(", ")}`;
  const stranger = Object.keys(given).find((name) => !known.includes(name));
  if (stranger !== undefined) {
    const meant = nearest(stranger, known);
    const mend = meant === undefined ? `the arguments are ${known.join(", ")}` : `did you mean ${meant}?`;
    return `there is no argument ${JSON.stringify(oneLine(stranger, 100))}: ${mend}`;
  }
  const missing = required.find((name) => given[name] === undefined);
  if (missing !== undefined) return `${missing} is missing: give ${properties[missing]?.description ?? "it"}`;
  for (const [name, { enum: choices }] of Object.entries(properties)) {
    if (choices !== undefined && given[name] !== undefined && !choices.some((each) => each === given[name])) {
      return `${name} is none of ${choices.join(", ")}`;
    }
  }
  const name = /^data\/(\w+)/.exec(message)?.[1] ?? "";
  const about = properties[name]?.description;
  return `${message.replace(/^data\//, "")}${about === undefined ? "" : `: give ${about}`}`;
}
