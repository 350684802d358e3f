import { existsSync } from "node:fs";
import { join } from "node:path";
import { tool } from "../about.ts";
import type { Config } from "./config-schema.ts";

export type Service = "github" | "gitlab";

interface Project {
  readonly config: Config;
  /** The config file, as it will be found or named. */
  readonly file: string;
  readonly cwd: string;
}

/** The file that makes a CI service run the tests. */
export function pipelineOf(
  service: Service,
  project: Project,
): { readonly path: string; readonly text: string; readonly notes: readonly string[] } {
  const variables = variablesOf(project.config);
  const secrets =
    variables.length === 0
      ? []
      : [`set ${variables.join(", ")} as ${service === "github" ? "secrets of the repository" : "CI/CD variables"}`];
  if (service === "github")
    return { path: ".github/workflows/mcp-assay.yml", text: github(project, variables), notes: secrets };
  const main = ".gitlab-ci.yml";
  if (!existsSync(join(project.cwd, main))) return { path: main, text: gitlab(project), notes: secrets };
  // Theirs is left as it is.
  const path = ".gitlab/mcp-assay.yml";
  return { path, text: gitlab(project), notes: [...secrets, `add to ${main}:  include: { local: ${path} }`] };
}

// --- internal ---

const HEAD = "# Written by mcp-assay init; it is yours to change.";

const command = ({ file }: Project, formats: string): string =>
  `npx -y mcp-assay@${tool.version} test${file === "mcp-assay.config.json" ? "" : ` --config ${file}`} --strict ${formats}`;

function github(project: Project, variables: readonly string[]): string {
  const env = variables.map((name) => `          ${name}: \${{ secrets.${name} }}`);
  return `${[
    HEAD,
    "name: mcp-assay",
    "on:",
    "  push:",
    "  pull_request:",
    "permissions:",
    "  contents: read",
    "jobs:",
    "  conformance:",
    "    runs-on: ubuntu-latest",
    "    steps:",
    "      - uses: actions/checkout@v4",
    "      - uses: actions/setup-node@v4",
    "        with:",
    "          node-version: 22",
    ...preparation(project).map((line) => `      ${line.startsWith("#") ? line : `- run: ${line}`}`),
    `      - run: ${command(project, "--format github --format json=mcp-assay.json")}`,
    ...(env.length === 0 ? [] : ["        env:", ...env]),
    "      - uses: actions/upload-artifact@v4",
    "        if: always()",
    "        with:",
    "          name: mcp-assay",
    "          path: mcp-assay.json",
  ].join("\n")}\n`;
}

function gitlab(project: Project): string {
  return `${[
    HEAD,
    "mcp-assay:",
    "  image: node:22",
    "  script:",
    ...preparation(project).map((line) => `    ${line.startsWith("#") ? line : `- ${line}`}`),
    `    - ${command(project, "--format junit=mcp-assay.xml --format json=mcp-assay.json")}`,
    "  artifacts:",
    "    when: always",
    "    paths: [mcp-assay.json]",
    "    reports:",
    "      junit: mcp-assay.xml",
  ].join("\n")}\n`;
}

/** What has to be done before a server can be started. */
function preparation({ config, cwd }: Project): readonly string[] {
  if (config.target?.type !== "stdio") return [];
  if (existsSync(join(cwd, "package-lock.json"))) return ["npm ci", "npm run build --if-present"];
  if (existsSync(join(cwd, "package.json"))) return ["npm install", "npm run build --if-present"];
  return ["# Install and build the server here."];
}

/** The variables that the file reads from the environment. */
function variablesOf(config: Config): readonly string[] {
  const found = JSON.stringify(config).matchAll(/\$\{env:([A-Za-z_]\w*)/g);
  return [...new Set([...found].map(([, name = ""]) => name))];
}
