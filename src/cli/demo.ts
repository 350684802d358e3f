import { listen } from "../reference/http.ts";
import { createReference } from "../reference/server.ts";
import { gradeTarget } from "./grade-run.ts";
import { testSettings } from "./settings.ts";
import { print } from "./terminal.ts";
import { testOptions } from "./test-options.ts";
import { UsageError } from "./usage.ts";
import type { Verb } from "./verb.ts";

export const demo: Verb = {
  name: "demo",
  about: "grade the embedded reference server, to see what a report looks like",
  operands: "plain",
  options: testOptions
    .filter(({ name }) => ["format", "output", "no-color", "verbose", "only", "skip"].includes(name))
    // No config file is read here.
    .map(({ field: _, ...option }) => option),
  examples: ["mcp-assay demo"],
  async run(split) {
    if (split.words.length > 0)
      throw new UsageError("demo grades the embedded server: to grade your own, use mcp-assay test.");
    const settings = testSettings(split);
    const { url, close } = await listen(createReference({}, []), 0);
    try {
      const code = await gradeTarget(
        { kind: "http", url: new URL(url), headers: [], tls: {} },
        {
          settings: { ...settings, times: { ...settings.times, quiet: 200 } },
          noColor: split.switches.has("no-color"),
          secrets: [],
        },
      );
      if (settings.outputs.stdout === "terminal") {
        await print(
          "\nThat was the embedded reference server. To test your own:\n\n  mcp-assay test https://your-server/mcp\n  mcp-assay test -- node your-server.js\n",
        );
      }
      return code;
    } finally {
      await close();
    }
  },
};
