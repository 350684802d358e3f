import { afterAll, beforeAll, expect, test } from "bun:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { binary } from "../cli/binary.fixture.ts";
import { serveReference } from "../index.ts";
import { type Listening, serveOnHttp } from "./http.ts";

const TOKEN = "correct-horse-battery";
const command = { command: binary(), args: ["mcp"] };
const headers = { Authorization: `Bearer ${TOKEN}` };
const info = { name: "test", version: "1" };

let own: Listening;
let tested: Awaited<ReturnType<typeof serveReference>>;
beforeAll(async () => {
  own = await serveOnHttp({ addresses: "no-metadata", commands: [] }, 0, TOKEN);
  tested = await serveReference({ faults: ["tools-call-unknown/1"] });
});
afterAll(async () => {
  await own.close();
  await tested.close();
});

/** What both generations of the SDK's clients have in common, as far as it is used here. */
interface AnyClient {
  listTools(): Promise<{ tools: readonly { name: string; outputSchema?: unknown }[] }>;
  callTool(call: { name: string; arguments: object }): Promise<unknown>;
  listPrompts(): Promise<{ prompts: readonly { name: string }[] }>;
  getPrompt(prompt: { name: string; arguments: Record<string, string> }): Promise<{ messages: readonly unknown[] }>;
  listResources(): Promise<{ resources: readonly { uri: string }[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: readonly { uriTemplate: string }[] }>;
  readResource(resource: { uri: string }): Promise<{ contents: readonly unknown[] }>;
  complete(ask: {
    ref: { type: "ref/resource"; uri: string };
    argument: { name: string; value: string };
    context?: { arguments: Record<string, string> };
  }): Promise<{ completion: { values: readonly string[] } }>;
  close(): Promise<void>;
}

const pin = { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const;
const clients: Readonly<Record<string, () => Promise<AnyClient>>> = {
  async "SDK 1.x on stdio"() {
    const client = new Client1(info);
    await client.connect(new Stdio1(command));
    return client as unknown as AnyClient;
  },
  async "SDK 1.x over HTTP"() {
    const client = new Client1(info);
    // Its types are of another opinion on undefined.
    await client.connect(
      new Http1(new URL(own.url), { requestInit: { headers } }) as Parameters<Client1["connect"]>[0],
    );
    return client as unknown as AnyClient;
  },
  async "SDK 2.x on stdio, 2025-11-25"() {
    const client = new Client(info);
    await client.connect(new StdioClientTransport(command));
    return client as unknown as AnyClient;
  },
  async "SDK 2.x on stdio, 2026-07-28"() {
    const client = new Client(info, pin);
    await client.connect(new StdioClientTransport(command));
    return client as unknown as AnyClient;
  },
  async "SDK 2.x over HTTP, 2025-11-25"() {
    const client = new Client(info);
    await client.connect(new StreamableHTTPClientTransport(new URL(own.url), { requestInit: { headers } }));
    return client as unknown as AnyClient;
  },
  async "SDK 2.x over HTTP, 2026-07-28"() {
    const client = new Client(info, pin);
    await client.connect(new StreamableHTTPClientTransport(new URL(own.url), { requestInit: { headers } }));
    return client as unknown as AnyClient;
  },
};

interface Called {
  readonly isError?: boolean;
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly content: readonly { readonly text: string }[];
}

const calls = (): Readonly<Record<string, { readonly right: object; readonly wrong: object }>> => ({
  mcp_compliance_test: {
    right: { url: tested.url, only: ["tools", "tools-call-unknown"], specVersion: "2025-11-25" },
    wrong: { url: "http://169.254.169.254/latest/meta-data/" },
  },
  mcp_diagnose: { right: { url: tested.url }, wrong: { url: "http://[fe80::1]/mcp" } },
  mcp_compliance_explain: { right: { testId: "tools-call" }, wrong: { testId: "tool-cal" } },
});

for (const [name, connect] of Object.entries(clients)) {
  test(`${name}: every tool is listed and called, and its structured content fits its schema`, async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name).sort()).toEqual(Object.keys(calls()).sort());
    for (const tool of tools) {
      const { right, wrong } = calls()[tool.name] ?? { right: {}, wrong: {} };
      const result = (await client.callTool({ name: tool.name, arguments: right })) as Called;
      expect(result.isError, JSON.stringify(result)).not.toBe(true);
      const validate = new Ajv2020({ strict: false }).compile(tool.outputSchema as object);
      expect(validate(result.structuredContent), JSON.stringify(validate.errors)).toBe(true);
      const refused = (await client.callTool({ name: tool.name, arguments: wrong })) as Called;
      expect(refused.isError).toBe(true);
    }

    const { prompts } = await client.listPrompts();
    expect(prompts.map((prompt) => prompt.name)).toEqual(["fix-my-server"]);
    const prompt = await client.getPrompt({ name: "fix-my-server", arguments: { url: "https://example.com/mcp" } });
    expect(JSON.stringify(prompt.messages)).toContain("https://example.com/mcp");

    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(["assay://catalog/2025-11-25", "assay://catalog/2026-07-28"]);
    const { contents } = await client.readResource({ uri: "assay://catalog/2026-07-28" });
    expect(JSON.parse((contents[0] as { text: string }).text).length).toBe(103);
    const { resourceTemplates } = await client.listResourceTemplates();
    const [template] = resourceTemplates;
    const uri = template?.uriTemplate ?? "";
    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri },
      argument: { name: "id", value: "ping" },
      context: { arguments: { revision: "2025-11-25" } },
    });
    expect(completion.values).toEqual(["lifecycle-ping"]);
    const check = await client.readResource({ uri: "assay://catalog/2025-11-25/lifecycle-ping" });
    expect(JSON.stringify(check)).toContain("ping is answered");
    await expect(client.readResource({ uri: "assay://catalog/2025-11-25/none" })).rejects.toThrow(/not found/i);
    await client.close();
  }, 60_000);
}

test("what a tested server says is marked, and the failed check says how to mend it", async () => {
  const client = await (clients["SDK 2.x over HTTP, 2026-07-28"] as () => Promise<AnyClient>)();
  const { right } = calls()["mcp_compliance_test"] ?? { right: {} };
  const { content, structuredContent } = (await client.callTool({
    name: "mcp_compliance_test",
    arguments: right,
  })) as Called;
  const text = content[0]?.text ?? "";
  expect(text).toStartWith("Grade: ");
  expect(text).toMatch(/^Tests: \d+\/\d+ passed \(\d+\/\d+ required\), \d+ skipped$/m);
  const [, mark = "", inside = ""] = /<untrusted (\w+)>\n([\s\S]*)\n<\/untrusted \1>/.exec(text) ?? [];
  expect(mark).toHaveLength(16);
  expect(inside).toMatch(/^FAIL tools-call-unknown/m);
  expect(inside).toMatch(/^PASS tools-list/m);
  expect(structuredContent).toMatchObject({
    notice: expect.stringContaining("data"),
    tests: expect.arrayContaining([
      expect.objectContaining({
        id: "tools-call-unknown",
        result: "FAIL",
        fix: expect.any(String),
        repro: expect.stringContaining("curl"),
      }),
    ]),
  });
  await client.close();
}, 30_000);

test("one cause behind many checks is told once", async () => {
  const client = await (clients["SDK 2.x over HTTP, 2026-07-28"] as () => Promise<AnyClient>)();
  const result = await client.callTool({ name: "mcp_compliance_test", arguments: { url: "http://127.0.0.1:1/mcp" } });
  const text = (result as Called).content[0]?.text ?? "";
  expect(text.match(/ECONNREFUSED 127/g)?.length).toBe(1);
  expect(text).toMatch(/^FAIL transport-post \(required\): Cannot be evaluated, see above$/m);
  await client.close();
}, 30_000);
