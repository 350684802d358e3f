import type { Readable, Writable } from "node:stream";
import { isObject } from "../model/json.ts";
import { isResponse } from "../model/message.ts";
import { createLineSplitter } from "../wire/lines.ts";
import type { Link, Reference } from "./server.ts";

export interface Pipes {
  readonly input: Readable;
  readonly output: Writable;
  exit(code: number): void;
}

/** Serves the reference over stdio (2025-11-25, basic/transports#stdio) until its input ends. */
export function serveStdio(reference: Reference, { input, output, exit }: Pipes): void {
  const { bends, rules, world } = reference;
  const session = reference.session("stdio");
  const splitter = createLineSplitter();
  let working = Promise.resolve();
  let ended = false;

  const print = (text: string | Uint8Array) => void output.write(text);
  const send = (json: unknown): void => {
    let line: string | Uint8Array = `${JSON.stringify(json)}\n`;
    for (const how of bends.stdout) if (typeof line === "string") line = how(line);
    if (line.length > 0) print(line);
  };
  session.broadcast = send;
  const link: Link = { send, die: () => exit(1) };
  const refuse = (code: number, message: string) => send({ jsonrpc: "2.0", error: { code, message } });

  async function take(text: string): Promise<void> {
    const line = bends.stdin.reduce<string | undefined>(
      (now, how) => (now === undefined ? now : how(now, link.die)),
      text,
    );
    if (line === undefined || line.trim() === "") return;
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch {
      return refuse(-32700, "the line is no JSON");
    }
    if (!isObject(json) || json["jsonrpc"] !== "2.0" || (typeof json["method"] !== "string" && !isResponse(json))) {
      return refuse(-32600, "the line is no JSON-RPC message");
    }
    const served = await reference.serve(json, session, link);
    if (served.reply !== undefined) send(served.reply);
    await served.follow();
  }

  async function finish(): Promise<void> {
    if (ended) return;
    ended = true;
    if (world.mute !== true) await Promise.race([working, new Promise((resolve) => setTimeout(resolve, 1000))]);
    if (bends.prints.end !== "") print(bends.prints.end);
    if (rules.exitOnEof) output.write("", () => exit(0));
  }

  if (bends.prints.start !== "") print(bends.prints.start);
  input.on("data", (read: Uint8Array) => {
    const bytes = bends.input.reduce((now, how) => how(now), read);
    for (const { bytes: line } of splitter.feed(bytes)) {
      // Messages may be served side by side; only end of input waits for what is under way.
      const taking = take(Buffer.from(line).toString("utf8"));
      working = Promise.all([working, taking]).then(() => {});
    }
  });
  input.on("end", () => void finish());
  input.on("error", () => void finish());
}
