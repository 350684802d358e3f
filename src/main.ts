import { main } from "./cli/main.ts";

// What is on stdout has been written by then; a stray handle of a hostile server's may not keep us here.
process.exit(await main(process.argv.slice(2)));
