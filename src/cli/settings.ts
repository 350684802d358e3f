import type { Times } from "../engine/context.ts";
import type { RevisionId } from "../model/catalog.ts";
import type { Config } from "./config-schema.ts";
import { type Outputs, outputsOf } from "./output-options.ts";
import type { Split } from "./split.ts";
import { GRADES, SPEC_VERSIONS } from "./test-options.ts";
import { choice, toggled, whole } from "./values.ts";
import { last, list } from "./verb.ts";

/** How a run of `test` goes: each field is the flag's value, else the config file's, else the default. */
export interface TestSettings {
  readonly specVersion: "auto" | RevisionId;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly outputs: Outputs;
  readonly strict: boolean;
  readonly minGrade: (typeof GRADES)[number] | undefined;
  readonly expectedFailures: string | undefined;
  readonly times: Times;
  readonly retries: number;
  readonly concurrency: number;
  readonly verbose: boolean;
  /** Whether tools annotated as destructive may be called. */
  readonly allowDestructive: boolean;
}

export function testSettings(split: Split, file: Config = {}): TestSettings {
  const timeout = whole(split, "timeout", 15_000) ?? file.timeout ?? 15_000;
  const startup = whole(split, "startup-timeout", 60_000) ?? file.startupTimeout;
  const preflight = whole(split, "preflight-timeout", 10_000) ?? file.preflightTimeout;
  return {
    specVersion: choice(split, "spec-version", SPEC_VERSIONS) ?? file.specVersion ?? "auto",
    only: split.values.has("only") ? list(split, "only") : (file.only ?? []),
    skip: split.values.has("skip") ? list(split, "skip") : (file.skip ?? []),
    outputs: outputsOf(split, file),
    strict: toggled(split, "strict", file.strict),
    minGrade: choice(split, "min-grade", GRADES, (value) => value.toUpperCase()) ?? file.minGrade,
    expectedFailures: last(split, "expected-failures") ?? file.expectedFailures,
    times: {
      request: timeout,
      startup: startup ?? Math.max(timeout, 60_000),
      preflight: preflight ?? Math.min(timeout, 10_000),
      quiet: 1000,
      grace: 2000,
    },
    retries: whole(split, "retries", 2, 0) ?? file.retries ?? 0,
    concurrency: whole(split, "concurrency", 1) ?? file.concurrency ?? 1,
    verbose: toggled(split, "verbose", file.verbose),
    allowDestructive: split.switches.has("allow-destructive"),
  };
}
