import { isObject } from "../model/json.ts";
import { oneLine } from "../text/escape.ts";
import type { ConfigTarget } from "./config-schema.ts";
import { UsageError } from "./usage.ts";

/** A server as a client's configuration describes it. */
export type Fields = { readonly [name: string]: unknown };

/** Reads fields of the types they must have, with their placeholders filled in. */
export function fieldsOf(server: Fields, where: string, fill: (text: string, field: string) => string) {
  const wrong = (field: string, what: string) => new UsageError(`${where}: ${field} is no ${what}: write it as one.`);
  return {
    has: (field: string) => server[field] !== undefined && server[field] !== null,
    text(field: string): string | undefined {
      const value = server[field];
      if (value === undefined || value === null) return undefined;
      if (typeof value !== "string") throw wrong(field, "text");
      return fill(value, field);
    },
    texts(field: string): readonly string[] {
      const value = server[field] ?? [];
      if (!Array.isArray(value)) throw wrong(field, "list of texts");
      return value.map((item: unknown, index) => {
        if (typeof item !== "string") throw wrong(`${field}[${index}]`, "text");
        return fill(item, `${field}[${index}]`);
      });
    },
    words(field: string): Readonly<Record<string, string>> {
      const value = server[field] ?? {};
      if (!isObject(value)) throw wrong(field, "object of names and texts");
      return Object.fromEntries(
        Object.entries(value).flatMap(([name, item]) => {
          // VS Code takes a variable out by null.
          if (item === null) return [];
          if (typeof item === "number" || typeof item === "boolean") return [[name, String(item)]];
          if (typeof item !== "string") throw wrong(`${field}.${name}`, "text");
          return [[name, fill(item, `${field}.${name}`)]];
        }),
      );
    },
  };
}

/** The target that the fields describe, in any client's words. */
export function targetOf(read: ReturnType<typeof fieldsOf>, where: string): ConfigTarget {
  const type = read.text("type") ?? read.text("transport");
  // Windsurf says serverUrl, Gemini CLI says httpUrl for Streamable HTTP.
  const url = read.text("httpUrl") ?? read.text("url") ?? read.text("serverUrl");
  const command = read.text("command");
  const remote = url !== undefined && command === undefined;
  if (remote && (type === undefined || /^(streamable-?)?http(-?stream)?$|^remote$|^sse$/i.test(type))) {
    return { type: type?.toLowerCase() === "sse" ? "sse" : "http", url, headers: read.words("headers") };
  }
  if (command !== undefined && (type === undefined || /^(stdio|local)$/i.test(type))) {
    const cwd = read.text("cwd");
    return {
      type: "stdio",
      command,
      args: [...read.texts("args")],
      env: read.words("env"),
      ...(cwd === undefined ? {} : { cwd }),
    };
  }
  const what = type === undefined ? "" : ` of the type ${JSON.stringify(oneLine(type, 40))}`;
  throw new UsageError(
    `${where}${what} has ${read.has("command") ? "a command" : "no command"} and ${url === undefined ? "no URL" : "a URL"}: a server needs a command (type stdio), or a url (type http or sse).`,
  );
}
