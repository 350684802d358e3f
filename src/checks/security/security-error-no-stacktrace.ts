import { misused } from "../../facts/misused.ts";
import { provoked } from "../../facts/provoked.ts";
import { defineCheck } from "../../model/define.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { fail, pass } from "../../model/outcome.ts";
import { count } from "../../text/count.ts";
import { oneLine } from "../../text/escape.ts";
import { internalPaths, stackFrame } from "../../text/scan-stack.ts";
import { errorTexts, provoke } from "./_error-texts.ts";

const PYTHON = 'Traceback (most recent call last):\n  File "/app/server.py", line 12, in handle\nValueError: no';
const JAVA = "java.lang.IllegalStateException: no\n\tat com.example.notes.Server.handle(Server.java:12)";
const DOTNET = "System.Exception: no\n   at Notes.Server.Handle(String name) in C:\\notes\\Server.cs:line 12";
const GO = "panic: no\n\ngoroutine 1 [running]:\nmain.handle()\n\t/app/main.go:12 +0x1d";
const NODE = "Error: no\n    at handle (file:///app/server.js:12:7)\n    at async serve (file:///app/server.js:30:3)";
const HTML =
  "<pre>SyntaxError: no<br> &nbsp; &nbsp;at JSON.parse (&lt;anonymous&gt;)<br> &nbsp; &nbsp;at parse (/app/node_modules/body-parser/lib/types/json.js:92:19)</pre>";

/** Unknown methods are refused in every run, and their code stays right. */
const unknown = (name: string, error: { readonly message: string; readonly data?: unknown }): Fault =>
  fault(name, (server) =>
    server.reply((reply, { method }) =>
      method.startsWith("nonexistent/") ? { jsonrpc: "2.0", id: reply.id, error: { code: -32601, ...error } } : reply,
    ),
  );

export default defineCheck({
  id: "security-error-no-stacktrace",
  title: "Error answers show no stack trace",
  why: "A stack trace tells a stranger the files, libraries and versions of the server, and costs the model context for nothing.",
  fix: "Answer errors with a short message of your own, write the trace to the log, and run frameworks in production mode (NODE_ENV=production).",
  snippet: [
    "catch (error) {",
    "  console.error(error); // the trace goes to the log",
    '  return { content: [{ type: "text", text: "The note could not be read." }], isError: true };',
    "}",
  ],
  effect: "shared",
  uses: "http",
  needs: { provoked, misused },
  faults: [
    unknown("puts a JavaScript stack into error messages", { message: NODE }),
    unknown("puts a Python traceback into error.data", { message: "internal error", data: { detail: PYTHON } }),
    unknown("puts a Java stack trace into error.data", { message: "internal error", data: [JAVA] }),
    unknown("puts a .NET stack trace into error messages", { message: DOTNET }),
    unknown("puts a Go panic into error messages", { message: GO }),
    fault("answers an unknown tool with an isError result that shows the stack", (server) =>
      server.reply((reply, { method }) =>
        method === "tools/call" && reply.error !== undefined
          ? {
              jsonrpc: "2.0",
              id: reply.id,
              result: { resultType: "complete", content: [{ type: "text", text: NODE }], isError: true },
            }
          : reply,
      ),
    ),
    fault("shows the stack where a tool is called without an argument that it requires", (server) =>
      server.reply((reply, { method, params }) =>
        method === "tools/call" && params["name"] === "echo" && at(params, "arguments", "text") === undefined
          ? {
              jsonrpc: "2.0",
              id: reply.id,
              result: { resultType: "complete", content: [{ type: "text", text: NODE }], isError: true },
            }
          : reply,
      ),
    ),
    fault(
      "answers bad JSON with an HTML page that shows the stack",
      (server) =>
        server.http((plan, { method, json }) =>
          method === "POST" && json === undefined && plan.status === 400
            ? { status: 400, headers: [["Content-Type", "text/html; charset=utf-8"]], body: HTML }
            : plan,
        ),
      { on: "http", alsoFails: ["error-parse-code", "error-invalid-json"] },
    ),
  ],
  run: ({ provoked, misused }, server) => provoke(server, [...provoked, ...misused]),
  review(transcript) {
    const { texts, read } = errorTexts(transcript);
    for (const { exchange, text } of texts) {
      const frame = stackFrame(text);
      if (frame !== undefined) {
        return fail("error answers without a stack trace", `a stack frame: ${oneLine(frame, 100)}`, exchange);
      }
    }
    const saw = `no stack frame in ${count(texts.length, "error")} among ${count(read, "message")}`;
    const sent = transcript.map(({ sent }) => sent.text);
    for (const { exchange, text } of texts) {
      const path = internalPaths(text).find((each) => !sent.some((ours) => ours.includes(each)));
      if (path !== undefined) return pass(saw, `an error names a path of the server: ${oneLine(path, 80)}`, exchange);
    }
    return pass(saw);
  },
});
