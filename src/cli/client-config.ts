import { homedir } from "node:os";
import { basename, dirname, resolve } from "node:path";
import { at, isObject } from "../model/json.ts";
import { oneLine } from "../text/escape.ts";
import { parseJsonc } from "../text/jsonc.ts";
import type { Secret } from "../text/redact.ts";
import { type Fields, fieldsOf, targetOf } from "./_client-fields.ts";
import type { ConfigTarget } from "./config-schema.ts";
import { filled, type Meanings } from "./placeholders.ts";
import { parsed, readText } from "./read-text.ts";
import { nearest, UsageError } from "./usage.ts";

/** One server of a client's configuration, with everything filled in. */
export interface ClientServer {
  readonly name: string;
  readonly target: ConfigTarget;
  /** Absolute. */
  readonly envFile?: string;
  /** Where the client would start it. */
  readonly folder: string;
  readonly disabled: boolean;
}

interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/**
 * Reads a server of the configuration of Claude Desktop, Claude Code, Cursor, Windsurf (`mcpServers`) or VS Code
 * (`servers`, also in settings.json under `mcp`). Values that came from the environment are told to `found`.
 */
export function clientServer(
  file: string,
  wanted: string | undefined,
  machine: Machine,
  found: (secret: Secret) => void,
): ClientServer {
  const document = parsed(parseJsonc, readText(file, "--mcp-json", machine.cwd), file);
  const path = resolve(machine.cwd, file);
  const servers = serversOf(document, machine.cwd);
  if (servers === undefined) {
    throw new UsageError(`${file} has neither "mcpServers" nor "servers": give the configuration of an MCP client.`);
  }
  const [name, server] = chosen(servers, wanted, file);
  const workspace = workspaceOf(path);
  const meanings: Meanings = {
    env: { HOME: homedir(), ...machine.env },
    workspace: workspace ?? machine.cwd,
    inputs: inputsOf(document),
    bare: true,
  };
  const where = `${file}: the server ${JSON.stringify(name)}`;
  const read = fieldsOf(server, where, (text, field) => filled(text, `${where}: ${field}`, meanings, found));
  const folder = workspace ?? machine.cwd;
  const envFile = read.text("envFile");
  return {
    name,
    target: targetOf(read, where),
    ...(envFile === undefined ? {} : { envFile: resolve(folder, envFile) }),
    folder,
    disabled: isDisabled(server),
  };
}

// --- internal ---

type Servers = readonly (readonly [name: string, server: Fields])[];

function serversOf(document: unknown, cwd: string): Servers | undefined {
  const lists = [
    at(document, "mcpServers"),
    at(document, "servers"),
    at(document, "mcp", "servers"),
    // Claude Code keeps a project's servers in the file of the user.
    at(document, "projects", cwd, "mcpServers"),
  ].filter(isObject);
  if (lists.length === 0) return undefined;
  return lists.flatMap((list) =>
    Object.entries(list).flatMap(([name, server]) => (isObject(server) ? [[name, server] as const] : [])),
  );
}

function chosen(servers: Servers, wanted: string | undefined, file: string): Servers[number] {
  const names = servers.map(([name]) => name);
  const listed = oneLine(names.join(", "), 300);
  if (wanted !== undefined) {
    const found = servers.find(([name]) => name === wanted);
    if (found !== undefined) return found;
    const meant = nearest(wanted, names);
    throw new UsageError(
      `${file} has no server ${JSON.stringify(wanted)}: ${meant === undefined ? `it has ${listed || "none"}` : `did you mean ${JSON.stringify(meant)}?`}`,
    );
  }
  if (servers.length === 0) throw new UsageError(`${file} has no server in it.`);
  const enabled = servers.filter(([, server]) => !isDisabled(server));
  const [only, ...others] = enabled.length === 0 ? servers : enabled;
  if (only === undefined || others.length > 0) {
    throw new UsageError(`${file} has several servers: choose one with --server (${listed}).`);
  }
  return only;
}

const isDisabled = (server: Fields): boolean => server["disabled"] === true || server["enabled"] === false;

/** The folder whose project the file belongs to; undefined for one of the user's own. */
function workspaceOf(path: string): string | undefined {
  const folder = dirname(path);
  if (/^\.(vscode|cursor|roo|kiro|windsurf|gemini)$/.test(basename(folder))) {
    return dirname(folder) === homedir() ? undefined : dirname(folder);
  }
  return basename(path) === ".mcp.json" ? folder : undefined;
}

function inputsOf(document: unknown): NonNullable<Meanings["inputs"]> {
  const inputs = at(document, "inputs") ?? at(document, "mcp", "inputs");
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  return new Map(
    (Array.isArray(inputs) ? inputs : []).flatMap((input: unknown) => {
      const id = text(at(input, "id"));
      const description = text(at(input, "description"));
      const otherwise = text(at(input, "default"));
      if (id === undefined) return [];
      return [
        [
          id,
          { ...(description === undefined ? {} : { description }), ...(otherwise === undefined ? {} : { otherwise }) },
        ] as const,
      ];
    }),
  );
}
