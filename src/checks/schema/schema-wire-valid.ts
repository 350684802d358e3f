import { provoked } from "../../facts/provoked.ts";
import { survey } from "../../facts/survey.ts";
import { defineReview } from "../../model/define.ts";
import { isNotification, rpcError } from "../../model/message.ts";
import { fail, type Outcome, pass, skipped } from "../../model/outcome.ts";
import { type Sorted, sorted } from "../../schema/formats.ts";
import type { Shape } from "../../schema/shape.ts";
import { shapesOf } from "../../schema/shapes.ts";
import { count } from "../../text/count.ts";
import { oneLine } from "../../text/escape.ts";
import { afterUnreadable, type Heard, heardIn, isOfReadRequest } from "../_heard.ts";
import { noting } from "../_noting.ts";
import { wireFaults } from "./_wire-faults.ts";

const { result, notification, error, envelope } = shapesOf("2026-07-28");

export default defineReview({
  id: "schema-wire-valid",
  title: "Every message the server sends has the shape of this revision",
  why: "Typed clients parse with the schema and drop what doesn't fit, often a whole list for one member of the wrong type.",
  fix: "Send the members that the schema demands with the types it gives them, leave out what has no value (null is none), and validate your answers with schema.json in your tests.",
  snippet: [
    'import Ajv from "ajv/dist/2020.js";',
    'const valid = new Ajv({ strict: false }).addSchema(schema, "mcp").getSchema("mcp#/$defs/CallToolResult");',
    "if (!valid(result)) throw new Error(JSON.stringify(valid.errors));",
  ],
  needs: { survey, provoked },
  faults: wireFaults,
  review(transcript) {
    const heard = heardIn(transcript);
    if (heard.length === 0) return skipped("no message of this revision came");
    const notes = new Set<string>();
    for (const one of heard) {
      const { exchange, message } = one;
      if (one.batched && !exchange.sent.text.trimStart().startsWith("[")) {
        return fail("one message", "an array around it", exchange);
      }
      for (const { complaint, formats } of judged(one)) {
        const what = nameOf(one);
        if (complaint !== undefined) {
          const place = complaint.path === "" ? what : `${complaint.path} of ${what}`;
          return fail(`${complaint.expected} at ${oneLine(place, 120)}`, oneLine(complaint.actual, 80), exchange);
        }
        for (const { expected, path } of formats)
          notes.add(`no ${expected.replace(/^an? /, "")} at ${path} of ${what}`);
      }
      if (message.error === undefined || message.id !== null) continue;
      // JSON-RPC 2.0 demands null for what could not be read, where the schema of the revision has no id at all.
      const asked = exchange.end === "unsolicited" ? !afterUnreadable(transcript, exchange) : isOfReadRequest(one);
      if (asked) return fail("the id of the request at /id of an error", "null", exchange);
      notes.add("an error to what could not be read has id null, as JSON-RPC 2.0 has it; the schema leaves it out");
    }
    return passing(heard.length, [...notes]);
  },
});

// --- internal ---

const passing = (read: number, notes: readonly string[]): Outcome =>
  noting(pass(`${count(read, "message")} read, all as the schema has them`), notes);

/** By method, by resultType and by error code. What has no shape of its own is judged as a message only. */
function judged({ message, request }: Heard): readonly Sorted[] {
  const { method, params } = message;
  const within = (shape: Shape | undefined, value: unknown, path: string): readonly Sorted[] =>
    shape === undefined ? [] : [sorted(shape, value, path)];
  const whole = sorted(envelope, message, "");
  const failed = rpcError(message);
  if (whole.complaint !== undefined) return [whole];
  if (isNotification(message)) return [whole, ...within(notification(String(method)), params, "/params")];
  if (failed !== undefined) return [whole, ...within(error(failed.code), failed.data, "/error/data")];
  const shape = request === undefined ? undefined : result(String(request.method));
  return [...within(shape, message.result, "/result"), whole];
}

function nameOf({ message, request }: Heard): string {
  const method = oneLine(String(message.method ?? request?.method ?? "a message"), 60);
  if (message.method !== undefined) return method;
  const failed = rpcError(message);
  return failed === undefined ? `the result of ${method}` : `error ${failed.code} to ${method}`;
}
