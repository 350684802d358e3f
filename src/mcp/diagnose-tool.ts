import { type CallToolResult, fromJsonSchema, type McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { type DiagnosisDocument, diagnoseServer } from "../library/diagnose.ts";
import { argumentsOf } from "./arguments.ts";
import type { Places } from "./places.ts";
import { answered, progressOf, refused } from "./result.ts";
import type { McpSettings } from "./settings.ts";
import { type TargetInput, targetOf, targetSchema } from "./target.ts";
import { NOTICE, quoted, untrusted } from "./untrusted.ts";

/** `diagnose` as a tool. */
export function registerDiagnose(server: McpServer, settings: McpSettings, places: Places): void {
  server.registerTool(
    "mcp_diagnose",
    {
      title: "Find out why an MCP server does not work",
      description:
        "Sends HTTP requests to the URL that it is given and says in one sentence why a server does not start, connect or answer, with the stage that fails, what shows it, and what to do about it. To be called where a client can't connect, or where mcp_compliance_test finds that nothing can be evaluated.",
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
      inputSchema: argumentsOf<DiagnoseInput>(inputSchema(settings)),
      outputSchema: fromJsonSchema(OUTPUT),
    },
    async (input, context) =>
      (await places.take(() => diagnosed(input, settings, context))) ??
      refused("As many runs are under way as may be at once: wait for one of them to end."),
  );
}

// --- internal ---

interface DiagnoseInput extends TargetInput {
  readonly timeout?: number;
}

const MOST_LINES = 12;

function inputSchema(settings: McpSettings) {
  const { properties, required } = targetSchema(settings);
  const timeout = { type: "integer", minimum: 100, maximum: 120_000, description: "milliseconds for each request" };
  return { type: "object", required, additionalProperties: false, properties: { ...properties, timeout } };
}

const text = { type: "string" };
const object = <P extends Readonly<Record<string, typeof text>>>(properties: P) => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});

const OUTPUT = {
  type: "object",
  required: ["ok", "headline", "cause", "mend", "stages", "evidence", "troubles", "notice"],
  properties: {
    ...{ target: text, transport: text, ok: { type: "boolean" }, headline: text },
    cause: { type: ["string", "null"], description: "the id of what is wrong; null: nothing is" },
    mend: { type: ["string", "null"], description: "what to do about it" },
    stages: { type: "array", items: object({ name: text, state: text, saw: text }) },
    evidence: { type: "array", items: object({ label: text, text }) },
    troubles: { type: "array", items: object({ cause: text, headline: text, mend: text }) },
    notice: text,
  },
};

async function diagnosed(input: DiagnoseInput, settings: McpSettings, context: ServerContext): Promise<CallToolResult> {
  const target = await targetOf(input, settings);
  if (typeof target === "object" && "refused" in target) return refused(target.refused);
  const tell = progressOf(context);
  let steps = 0;
  try {
    const found = await diagnoseServer(target, {
      // An assistant waits, too: half a minute says that a server is dead.
      ...{ timeout: 10_000, startupTimeout: input.timeout ?? 30_000 },
      ...(input.timeout === undefined ? {} : { timeout: input.timeout }),
      addresses: settings.addresses,
      signal: context.mcpReq.signal,
      // How many steps there will be nobody knows.
      onStatus: (message) => tell(++steps, undefined, quoted(message, 200)),
    });
    return answered(linesOf(found), valueFrom(found));
  } catch (error) {
    if (error instanceof TypeError) return refused(quoted(error.message));
    throw error;
  }
}

function valueFrom({ target, transport, ok, headline, cause, mend, stages, evidence, troubles }: DiagnosisDocument) {
  return {
    ...{ target: quoted(target), transport, ok, headline: quoted(headline), cause },
    mend: mend === null ? null : quoted(mend, 600),
    stages: stages.map(({ name, state, saw }) => ({ name, state, saw: quoted(saw) })),
    evidence: evidence
      .slice(0, MOST_LINES)
      .map((each) => ({ label: quoted(each.label, 100), text: quoted(each.text) })),
    troubles: troubles.map((each) => ({
      cause: each.cause,
      headline: quoted(each.headline),
      mend: quoted(each.mend, 600),
    })),
    notice: NOTICE,
  };
}

function linesOf({ headline, mend, stages, evidence, troubles }: DiagnosisDocument): readonly string[] {
  return untrusted([
    quoted(headline),
    ...(mend === null ? [] : [`What to do: ${quoted(mend, 600)}`]),
    "",
    ...stages.map(({ name, state, saw }) => `${state}: ${name}${saw === "" ? "" : ` (${quoted(saw)})`}`),
    ...evidence.slice(0, MOST_LINES).map((each) => `${quoted(each.label, 100)}: ${quoted(each.text)}`),
    ...troubles.map((each) => `Also: ${quoted(each.headline)} What to do: ${quoted(each.mend, 600)}`),
  ]);
}
