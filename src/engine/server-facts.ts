import { itemsOf, walks } from "../facts/lists.ts";
import { opened } from "../facts/opening.ts";
import { at, isObject } from "../model/json.ts";
import type { ServerFacts } from "../model/report.ts";
import type { Peek } from "./bench.ts";

const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

/** What the opening and the lists told of the server, as far as the run has learned it. */
export async function serverFacts(peek: Peek): Promise<ServerFacts> {
  const first = await peek(opened);
  const result = first?.exchange.reply?.result;
  const text = (...path: string[]): string | null => {
    const value = at(result, ...path);
    return typeof value === "string" ? value : null;
  };
  const names = async (kind: keyof typeof walks): Promise<readonly string[] | null> => {
    const walk = await peek(walks[kind]);
    // A resource without a name is still known by its URI.
    const nameOf = (item: { readonly [key: string]: unknown }): string =>
      [item["name"], item["uri"]].find((each) => typeof each === "string") ?? "";
    if (walk === undefined || walk.end === "error") return null;
    return itemsOf(walk).flatMap((item) => (isObject(item) ? [nameOf(item)] : []));
  };
  return {
    protocolVersion: first?.negotiated ?? null,
    name: text("serverInfo", "name") ?? text("_meta", SERVER_INFO, "name"),
    version: text("serverInfo", "version") ?? text("_meta", SERVER_INFO, "version"),
    capabilities: at(result, "capabilities") ?? null,
    tools: await names("tools"),
    resources: await names("resources"),
    prompts: await names("prompts"),
  };
}
