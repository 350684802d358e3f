import { callable } from "../../facts/tools.ts";
import { defineCheck } from "../../model/define.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { fail, pass, skipped } from "../../model/outcome.ts";
import type { StringArgument } from "../../schema/sample.ts";
import { fill, nameOf, slotsOf, unreached, wordsOf } from "./_slots.ts";

const PASSWD = "root:x:0:0:root:/root:/bin/sh\n";
const WIN_INI = "; for 16-bit app support\r\n[fonts]\r\n";

/** A tool that does as if it had opened the file: nothing is read. */
const reading = (name: string, opens: (path: string) => string | undefined): Fault =>
  fault(name, (server) =>
    server.tool("read_note", ({ path }) => {
      const text = opens(String(path));
      return {
        content: [{ type: "text", text: text ?? "there is no note of that path" }],
        isError: text === undefined,
      };
    }),
  );
const climbs = (path: string): boolean => /^(?:\.\.\/)+etc\/passwd$/.test(path);

export default defineCheck({
  id: "security-path-traversal",
  title: "Path arguments cannot climb out to other files",
  why: "A model fills in paths that strangers suggested; a path that climbs out reads whatever the server's user may read.",
  fix: "Resolve the path (links included) after decoding it, and refuse it unless the result lies inside the directory you serve.",
  snippet: [
    "const root = await realpath(folder);",
    "const file = await realpath(resolve(root, name));",
    'if (!file.startsWith(root + sep)) throw new Error("outside the folder");',
  ],
  effect: "shared",
  needs: { callable },
  faults: [
    reading("reads files above its directory", (path) => (climbs(path) ? PASSWD : undefined)),
    reading("decodes a path after it has looked for dots", (path) =>
      !path.includes("../") && climbs(decodeURIComponent(path)) ? PASSWD : undefined,
    ),
    reading("takes the way up out of a path once, and so leaves one", (path) =>
      !path.startsWith("../") && climbs(path.replaceAll("../", "")) ? PASSWD : undefined,
    ),
    reading("reads files above its directory on Windows", (path) =>
      /^(?:\.\.\\)+Windows\\win\.ini$/.test(path) ? WIN_INI : undefined,
    ),
    fault("shows the file it must not read in an error", (server) =>
      server.tool("read_note", ({ path }) => ({
        content: [{ type: "text", text: climbs(String(path)) ? `not a note: ${PASSWD}` : "there is no such note" }],
        isError: true,
      })),
    ),
    fault("dies of a path that climbs out", (server) =>
      server.before("tools/call", ({ params, die }) => {
        if (JSON.stringify(params).includes("../")) die();
      }),
    ),
  ],
  async run({ callable }, server) {
    const slots = slotsOf(callable, isPath);
    if (slots.length === 0) return skipped("no tool that may be called takes a path");
    const within = server.target.command.find(holdsMarker);
    if (within !== undefined) {
      return skipped(`the marker file lies inside ${JSON.stringify(within)}, which the server was given`);
    }
    let reached = 0;
    let sent = 0;
    for (const slot of slots) {
      for (const payload of PAYLOADS) {
        const filled = await fill(server, slot, payload);
        if (filled === undefined) break;
        sent += 1;
        const marker = MARKERS.find((each) => each.test(filled.text));
        if (marker !== undefined) {
          const actual = `the text of the marker file for ${JSON.stringify(payload.slice(-40))} as ${nameOf(slot)}`;
          return fail("an answer without the marker file", actual, filled.exchange);
        }
        if (filled.reached) reached += 1;
      }
    }
    if (sent === 0) return skipped("no tool that takes a path answers a plain call");
    if (reached === 0) return unreached(server, "security-path-traversal", slots, sent);
    return pass(`no marker file in the answers to ${sent} paths that climb out (${slots.map(nameOf).join(", ")})`);
  },
});

// --- internal ---

const UP = 12;
const PAYLOADS = [
  `${"../".repeat(UP)}etc/passwd`,
  `${"%2e%2e%2f".repeat(UP)}etc%2fpasswd`,
  // What a filter that takes "../" out once leaves a chain of.
  `${"....//".repeat(UP)}etc/passwd`,
  `${"..\\".repeat(UP)}Windows\\win.ini`,
  `${"%2e%2e%5c".repeat(UP)}Windows%5cwin.ini`,
];
const MARKERS = [/root:[^:\s]*:0:0:/, /\[fonts\]/i];

const PATH_WORDS = ["path", "paths", "file", "filename", "filepath", "dir", "directory", "folder", "pathname"];

const isPath = ({ name, format }: StringArgument): boolean =>
  format === "path" ||
  format === "file-path" ||
  format === "uri-reference" ||
  (format === undefined && wordsOf(name).some((word) => PATH_WORDS.includes(word)));

/** Whether a word of the command line is a directory with a marker file in it. */
const holdsMarker = (word: string): boolean =>
  /^(?:\/|\/etc\/?|[a-z]:[\\/]?|[a-z]:[\\/]windows[\\/]?)$/i.test(word.replace(/^--?[\w-]+=/, ""));
