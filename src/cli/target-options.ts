import type { Option } from "./split.ts";
import { testOptions } from "./test-options.ts";

const NAMES = new Set(
  [
    "config mcp-json server transport",
    "header auth header-env auth-env header-file ca-file proxy insecure",
    "env env-file inherit-env cwd",
    "timeout startup-timeout preflight-timeout verbose no-color",
  ].flatMap((line) => line.split(" ")),
);

/** What `test` says of the target and of patience: it means the same for every verb that talks to a server. */
export const targetOptions: readonly Option[] = testOptions.filter(({ name }) => NAMES.has(name));
