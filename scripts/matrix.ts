/** Tries every fault: `bun run matrix [--all] [--only …] [--verbose]`. The same as `mcp-assay selftest`. */
import { main } from "../src/cli/main.ts";

process.argv[1] = new URL("../src/main.ts", import.meta.url).pathname;
process.exit(await main(["selftest", ...process.argv.slice(2)]));
