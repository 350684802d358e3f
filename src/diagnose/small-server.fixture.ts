// A server on stdio in few lines, wrong in the way that its first argument names. Started by tests.

const [behaviour = ""] = process.argv.slice(2);
const { stdin, stdout, stderr } = process;

type Message = {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: string };
};
const say = (message: unknown) => stdout.write(`${JSON.stringify(message)}\n`);
const INFO = { name: "small", version: "1" };
let result: object = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: INFO };
/** It supports what is asked for, as a right server does. */
let versionFor = (message: Message): object => {
  const asked = message.params?.protocolVersion;
  return asked === undefined || !("protocolVersion" in result) ? {} : { protocolVersion: asked };
};
const tools = [{ name: "a", inputSchema: { type: "object" } }];
let idOf = (id: unknown): unknown => id;
let answer = (message: Message): void => {
  const reply = (body: object) => say({ jsonrpc: "2.0", id: idOf(message.id), ...body });
  if (message.id === undefined) return;
  if (message.method === "initialize") reply({ result: { ...result, ...versionFor(message) } });
  else if (message.method === "ping") reply({ result: {} });
  else if (message.method === "tools/list") reply({ result: { tools } });
  else reply({ error: { code: -32601, message: "unknown" } });
};
let read = (line: string): void => {
  try {
    answer(JSON.parse(line));
  } catch {
    say({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "no JSON" } });
  }
};
let end = (): void => process.exit(0);
const usual = answer;
const listing = (body: object) => {
  answer = (message) =>
    message.method === "tools/list" ? say({ jsonrpc: "2.0", id: message.id, ...body }) : usual(message);
};
const die = (text: string, code = 1) => {
  stderr.write(`${text}\n`);
  process.exit(code);
};
const mute = () => {
  answer = () => {};
};

const BEHAVIOURS: Readonly<Record<string, () => void>> = {
  fine() {},
  banner: () => void stdout.write("Some Server version : 1.0\n"),
  echo() {
    const reading = read;
    read = (line) => {
      stdout.write(`${line}\n`);
      reading(line);
    };
  },
  dotenv: () => void stdout.write("[dotenv@17.2.1] injecting env (3) from .env -- tip: something\n"),
  bom: () => void stdout.write("\ufeff"),
  utf16() {
    answer = ({ id }) =>
      void stdout.write(Buffer.from(`\ufeff${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`, "utf16le"));
  },
  pretty() {
    answer = ({ id }) => void stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result }, null, 2)}\n`);
  },
  batch() {
    answer = ({ id }) => void (id !== undefined && say([{ jsonrpc: "2.0", id, result }]));
  },
  "writes-content-length"() {
    answer = ({ id }) => {
      const text = JSON.stringify({ jsonrpc: "2.0", id, result });
      if (id !== undefined) stdout.write(`Content-Length: ${text.length}\r\n\r\n${text}`);
    };
  },
  "waits-for-content-length"() {
    let got = "";
    read = (line) => {
      // The body has no newline, so the header is all that ever comes as a line.
      got += `${line}\n`;
      if (!/Content-Length: \d+\r\n\r?\n/i.test(got)) return;
      const text = JSON.stringify({ jsonrpc: "2.0", id: 0, result });
      stdout.write(`Content-Length: ${text.length}\r\n\r\n${text}`);
    };
  },
  later: () => {
    answer = (message) => {
      usual(message);
      if (message.method === "initialize") stdout.write("client connected\n");
    };
  },
  crlf() {
    answer = ({ id, method }) => {
      const body =
        method === "initialize" ? { result } : method === "tools/list" ? { result: { tools } } : { result: {} };
      if (id !== undefined) stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...body })}\r\n`);
    };
  },
  "dies-of-crlf"() {
    const plain = read;
    read = (line) => (line.endsWith("\r") ? process.exit(0) : plain(line));
  },
  "answers-notifications"() {
    answer = (message) => {
      if (message.id === undefined) say({ jsonrpc: "2.0", id: null, error: { code: -32601, message: "unknown" } });
      else usual(message);
    };
  },
  "answers-notifications-with-zero"() {
    answer = (message) =>
      message.id === undefined
        ? void say({ jsonrpc: "2.0", id: 0, error: { code: -32601, message: "" } })
        : usual(message);
  },
  "answers-notifications-without-id"() {
    answer = (message) =>
      message.id === undefined ? void say({ jsonrpc: "2.0", error: { code: -32601, message: "" } }) : usual(message);
  },
  "number-from-text"() {
    idOf = (id) => (typeof id === "string" && /^\d+$/.test(id) ? Number(id) : id);
  },
  "text-from-number"() {
    idOf = (id) => String(id);
  },
  "always-newest"() {
    versionFor = () => ({});
  },
  "from-the-future"() {
    versionFor = () => ({ protocolVersion: "2030-01-01" });
  },
  "templates-unknown"() {
    result = { ...result, capabilities: { resources: {} } };
    answer = (message) =>
      message.method === "resources/list"
        ? void say({ jsonrpc: "2.0", id: message.id, result: { resources: [] } })
        : usual(message);
  },
  "placeholder-version"() {
    versionFor = () => ({});
    result = { ...result, protocolVersion: "%params/protocolVersion%" };
  },
  "result-incomplete"() {
    result = { capabilities: {} };
  },
  "refuses-to-begin"() {
    answer = ({ id }) =>
      void (id !== undefined && say({ jsonrpc: "2.0", id, error: { code: -32000, message: "no API key" } }));
  },
  "no-ping"() {
    answer = (message) =>
      message.method === "ping"
        ? void say({ jsonrpc: "2.0", id: message.id, error: { code: -32601, message: "unknown" } })
        : usual(message);
  },
  "declares-without-handler": () => listing({ error: { code: -32601, message: "Method not found" } }),
  "cursor-null": () => listing({ result: { tools, nextCursor: null } }),
  "cursor-loop": () => listing({ result: { tools, nextCursor: "8" } }),
  "deep-tool"() {
    const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
    answer = (message) =>
      message.method === "tools/list"
        ? void stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":{"tools":[${deep}]}}\n`)
        : usual(message);
  },
  "null-tool": () => listing({ result: { tools: [null, ...tools] } }),
  "silent-list"() {
    answer = (message) => (message.method === "tools/list" ? undefined : usual(message));
  },
  "cut-list"() {
    answer = (message) => {
      if (message.method !== "tools/list") return usual(message);
      const long = tools.concat(
        Array.from({ length: 800 }, (_, i) => ({
          name: `tool_${i}`,
          description: "x".repeat(60),
          inputSchema: { type: "object" },
        })),
      );
      stdout.write(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: { tools: long } }).slice(0, 65_536), () =>
        process.exit(0),
      );
    };
  },
  "dies-in-list"() {
    answer = (message) => (message.method === "tools/list" ? process.exit(1) : usual(message));
  },
  "stays-after-end"() {
    setInterval(() => {}, 1000);
    end = () => {};
  },
  "dies-of-discover"() {
    let initialized = false;
    answer = (message) => {
      initialized ||= message.method === "initialize";
      if (!initialized) die("KeyError: unknown method");
      usual(message);
    };
  },
  "silent-on-discover"() {
    answer = (message) => (message.method === "server/discover" ? undefined : usual(message));
  },
  "one-shot"() {
    answer = (message) => {
      usual(message);
      if (message.id !== undefined) stdout.write("", () => process.exit(0));
    };
  },
  "answers-at-end"() {
    const waiting: string[] = [];
    read = (line) => void waiting.push(line);
    end = () => {
      for (const line of waiting) usual(JSON.parse(line));
      stdout.write("", () => process.exit(0));
    };
  },
  mute,
  "mute-http"() {
    stderr.write("Server listening on http://localhost:3000/mcp\n");
    mute();
  },
  "mute-installing"() {
    stderr.write("Downloading cpython-3.12 (28.1MiB)\n");
    mute();
  },
  "mute-asking"() {
    stderr.write("Need to install the following packages:\n  some-server@1.0.0\nOk to proceed? (y) ");
    mute();
  },
  flood() {
    mute();
    const more = () => {
      while (stdout.write(`${"x".repeat(4096)}\n`));
      stdout.once("drain", more);
    };
    more();
  },
  "flood-without-newline"() {
    mute();
    const more = () => {
      while (stdout.write("x".repeat(65_536)));
      stdout.once("drain", more);
    };
    more();
  },
  // What a process says that ends at once.
  "port-in-use": () => die("Error: listen EADDRINUSE: address already in use :::3000"),
  "credential-refused": () => die("Fatal: invalid API key"),
  "variable-missing": () => die("Error: EXAMPLE_API_KEY environment variable is required"),
  "exits-zero": () => process.exit(0),
  secret: () => die(`could not log in with ${process.env["EXAMPLE_KEY"] ?? ""} there`),
};

const bend = BEHAVIOURS[behaviour];
if (bend === undefined) die(`there is no behaviour ${behaviour}`, 99);
else bend();

let rest = "";
stdin.on("data", (bytes) => {
  rest += bytes;
  const lines = rest.split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) read(line);
});
stdin.on("end", () => end());
