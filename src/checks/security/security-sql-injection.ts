import { callable, type Tool } from "../../facts/tools.ts";
import { defineCheck } from "../../model/define.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { fail, pass, skipped } from "../../model/outcome.ts";
import type { StringArgument } from "../../schema/sample.ts";
import { databaseError } from "../../text/scan-sql.ts";
import { baseline, fill, nameOf, slotsOf, unreached, wordsOf } from "./_slots.ts";

const odd = (value: unknown): boolean => (String(value).match(/'/g) ?? []).length % 2 === 1;

/** A tool that does as if it had put its text between quotes in a statement. */
const database = (name: string, tool: string, argument: string, complaint: string): Fault =>
  fault(name, (server) =>
    server.tool(tool, (args) =>
      odd(args[argument])
        ? { content: [{ type: "text", text: complaint }], isError: true }
        : { content: [{ type: "text", text: "no rows" }] },
    ),
  );

export default defineCheck({
  id: "security-sql-injection",
  title: "Quotes in tool arguments do not reach a database unescaped",
  why: "If one quote breaks the statement, text that strangers wrote can become part of it.",
  fix: "Use prepared statements with bound parameters for every value, and never put text into a statement yourself.",
  snippet: ['db.prepare("SELECT * FROM notes WHERE title = ?").all(title);'],
  effect: "shared",
  needs: { callable },
  faults: [
    database("answers a quote with an error of SQLite", "echo", "text", 'SQLITE_ERROR: near "\'": syntax error'),
    database("answers a quote with an error of MySQL", "echo", "text", "You have an error in your SQL syntax near '''"),
    database(
      "answers a quote with an error of PostgreSQL",
      "echo",
      "text",
      'unterminated quoted string at or near "\'"',
    ),
    database(
      "answers a quote with an error of SQL Server",
      "echo",
      "text",
      "Unclosed quotation mark after the character string",
    ),
    database(
      "answers a quote in its search tool with an error of SQLite",
      "find_notes",
      "query",
      'near "\'": syntax error',
    ),
    fault("answers a quote with a JSON-RPC error of its database", (server) =>
      server.reply((reply, { method, params }) =>
        method === "tools/call" && odd(JSON.stringify(params))
          ? { jsonrpc: "2.0", id: reply.id, error: { code: -32603, message: "SQLITE_ERROR: unrecognized token" } }
          : reply,
      ),
    ),
    fault("dies of a quote in a tool argument", (server) =>
      server.before("tools/call", ({ params, die }) => {
        // Those that a shell would run come earlier, and would find it dead.
        const text = JSON.stringify(params);
        if (odd(text) && !text.includes("expr")) die();
      }),
    ),
  ],
  async run({ callable }, server) {
    const taking = slotsOf(callable, ({ format }) => format === undefined);
    if (taking.length === 0) return skipped("no tool that may be called takes free text");
    const slots = slotsOf(callable, (argument, tool) => argument.format === undefined && !isQuery(argument, tool));
    if (slots.length === 0) return skipped("the free text is documented as a query language");
    let note: string | undefined;
    let sent = 0;
    let reached = 0;
    for (const slot of slots) {
      const none = await baseline(server, slot, "abc");
      if (none === undefined) continue;
      const one = await fill(server, slot, "abc'");
      const two = await fill(server, slot, "abc''");
      if (one === undefined || two === undefined) continue;
      sent += 2;
      const complaint = databaseError(one.text);
      if (complaint !== undefined && databaseError(none.text) === undefined) {
        if (databaseError(two.text) === undefined) {
          const actual = `${JSON.stringify(complaint.slice(0, 60))} with one quote as ${nameOf(slot)}`;
          return fail("no database error with one quote", actual, one.exchange, none.exchange, two.exchange);
        }
        note ??= `${nameOf(slot)}: a database error with one quote and with two`;
      }
      reached += [one, two].filter((each) => each.reached).length;
    }
    if (sent === 0) return skipped("no tool that takes free text answers a plain call");
    if (reached === 0 && note === undefined) return unreached(server, "security-sql-injection", slots, sent);
    return pass(`no database error from one quote (${slots.map(nameOf).join(", ")})`, note);
  },
});

// --- internal ---

const QUERY_WORDS = ["sql", "graphql", "cypher", "statement", "jql", "soql", "promql", "kql", "where"];

/** Whether the argument is meant to be a statement: then a broken one is the caller's own. */
function isQuery(argument: StringArgument, { name, description }: Tool): boolean {
  if ([...wordsOf(argument.name), ...wordsOf(name)].some((word) => QUERY_WORDS.includes(word))) return true;
  return /\b(?:sql|graphql|cypher|sparql|jql|soql|promql|kql|logql|query language|(?:select|where) (?:statements?|clauses?))\b/i.test(
    `${description} ${argument.description ?? ""}`,
  );
}
