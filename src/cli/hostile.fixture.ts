// A server for tests that writes hostile text into every string, and whatever secrets it was given with it. On stdio
// it is started by itself; `hostileAnswer` is the same over HTTP.
const SECRETS =
  process.env["ECHO"] === undefined ? [] : Object.values(process.env).filter((each) => each?.includes("s3cr3t"));

/** Each is a way to write into somebody's report, or to hide in it. */
export const HOSTILE = [
  "\u001b[2J\u001b]8;;http://evil.example\u0007\u009b31m",
  "\n::error::evil\r\n  ::add-mask::evil\n##[error]evil ##vso[task.setvariable]evil",
  `"><script>evil()</script><img src=x onerror=evil()>`,
  "]]></failure><testcase name='evil'/><!--",
  "[evil](http://evil.example) ![evil](http://evil.example/x.png) <http://evil.example> @evil",
  "```\n# evil\n````\n</details>",
  "a | evil | `evil`",
  "\u0000\u202eevil\u202c\u200b\u2028\u{e0041}\uffff",
].join("\n");

/** What it answers to a message; bytes, because not all of it is text. */
export function hostileAnswer(
  message: { readonly id?: unknown; readonly method?: unknown },
  echoed: readonly string[],
): Uint8Array {
  const forms = echoed.flatMap((each) => [each, Buffer.from(each).toString("base64"), encodeURIComponent(each)]);
  const text = [HOSTILE, ...forms].join("\n");
  const tool = {
    name: text,
    title: text,
    description: text,
    inputSchema: { type: "object", properties: { [text]: {} } },
  };
  const results: Readonly<Record<string, unknown>> = {
    initialize: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {}, resources: {}, prompts: {}, experimental: { [text]: { [text]: text } } },
      serverInfo: { name: text, version: text, title: text },
      instructions: text,
    },
    "tools/list": { tools: [tool, { ...tool, name: "e".repeat(1_000_000) }, { name: 1 }] },
    "resources/list": { resources: [{ uri: `http://evil.example/${text}`, name: text }] },
    "prompts/list": { prompts: [{ name: text }] },
  };
  const result = results[String(message.method)];
  const answer = {
    jsonrpc: "2.0",
    id: message.id,
    ...(result === undefined ? { error: { code: -32601, message: text, data: text } } : { result }),
  };
  // A lone surrogate can only be sent as an escape, and 0xff is in no UTF-8.
  const json = JSON.stringify(answer).replaceAll("\uffff", "\\ud800");
  const bytes = Buffer.from(`${json}\n`);
  if (message.method === "prompts/list") bytes[json.indexOf("evil")] = 0xff;
  return bytes;
}

if (import.meta.main) {
  process.stderr.write(`${HOSTILE}\n${SECRETS.join("\n")}\n`);
  let pending = "";
  process.stdin.on("data", (bytes) => {
    const lines = `${pending}${bytes}`.split("\n");
    pending = lines.pop() ?? "";
    for (const line of lines) {
      process.stderr.write(`::error::evil ${line}\n`);
      let message: unknown;
      try {
        message = JSON.parse(line);
      } catch {
        message = { id: null };
      }
      if (typeof message === "object" && message !== null && "id" in message) {
        process.stdout.write(
          hostileAnswer(
            message,
            SECRETS.filter((each) => each !== undefined),
          ),
        );
      }
    }
  });
}
