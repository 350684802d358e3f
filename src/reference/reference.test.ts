import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { type Listening, listen } from "./http.ts";
import { createReference } from "./server.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

let listening: Listening;
beforeAll(async () => {
  listening = await listen(createReference({}, []), 0);
});
afterAll(() => listening.close());

const transports: readonly [string, () => Transport][] = [
  // The SDK's own types disagree with each other under exactOptionalPropertyTypes.
  ["HTTP", () => new StreamableHTTPClientTransport(new URL(listening.url)) as Transport],
  ["stdio", () => new StdioClientTransport({ command: process.execPath, args: [main, "serve"], stderr: "ignore" })],
];

for (const [name, transport] of transports) {
  describe(`the official SDK's client and the reference server over ${name}`, () => {
    const client = new Client(
      { name: "test", version: "1" },
      { capabilities: { sampling: {}, roots: {}, elicitation: { form: {} } } },
    );
    let changed = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changed++);
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: "file:///a" }] }));
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { colour: "red" } }));
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      role: "assistant",
      model: "m",
      content: { type: "text", text: "hi" },
    }));
    beforeAll(() => client.connect(transport()));
    afterAll(() => client.close());

    test("agree on every list, through all pages", async () => {
      const names: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.listTools(cursor === undefined ? {} : { cursor });
        names.push(...page.tools.map((tool) => tool.name));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(names.length).toBe(12);
      expect((await client.listResources()).resources.length).toBe(3);
      expect((await client.listResourceTemplates()).resourceTemplates.length).toBe(1);
      expect((await client.listPrompts()).prompts.length).toBe(3);
    });

    test("agree on calls, reads, prompts, completions and levels", async () => {
      const sum = await client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
      expect(sum.structuredContent).toEqual({ sum: 3 });
      expect((await client.callTool({ name: "show_media", arguments: {} })).content).toHaveLength(5);
      expect((await client.readResource({ uri: "assay://logo" })).contents).toHaveLength(1);
      expect((await client.getPrompt({ name: "review", arguments: { language: "go" } })).messages).toHaveLength(1);
      const ref = { type: "ref/prompt" as const, name: "review" };
      const completed = await client.complete({ ref, argument: { name: "language", value: "p" } });
      expect(completed.completion.values).toEqual(["python"]);
      expect(await client.setLoggingLevel("debug")).toEqual({});
      expect(await client.subscribeResource({ uri: "assay://notes/first" })).toEqual({});
      await expect(client.callTool({ name: "nothing", arguments: {} })).rejects.toMatchObject({ code: -32602 });
    });

    test("agree on progress, and on what the server asks of the client", async () => {
      const steps: number[] = [];
      await client.callTool({ name: "count", arguments: { steps: 3 } }, undefined, {
        onprogress: ({ progress }) => void steps.push(progress),
      });
      expect(steps).toEqual([1, 2, 3]);
      const said = async (tool: string) =>
        JSON.stringify((await client.callTool({ name: tool, arguments: {} })).content);
      expect(await said("ask_model")).toContain("the model answered");
      expect(await said("ask_user")).toContain("accept");
      expect(await said("show_roots")).toContain("1 roots");
      expect(changed).toBeGreaterThan(0);
    });
  });
}
