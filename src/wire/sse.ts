import type { SseEvent } from "../model/exchange.ts";
import { CAPS } from "./caps.ts";

/** An incremental reader of text/event-stream (HTML Living Standard, section 9.2). */
export interface SseReader {
  /** Takes bytes as they arrive, cut anywhere; returns the blocks they complete. */
  feed(bytes: Uint8Array): readonly SseEvent[];
  /** Lines that are neither a comment nor one of the four fields. */
  readonly badLines: readonly string[];
  /** The data of a block that no blank line has closed, and which is therefore no event; undefined where there is none. */
  unfinished(): string | undefined;
}

const FIELDS = new Set(["event", "data", "id", "retry"]);

export function createSseReader(): SseReader {
  const decoder = new TextDecoder("utf-8");
  const badLines: string[] = [];
  let rest = "";
  let afterCr = false;
  let block: { name?: string; id?: string; retry?: string; data?: string[] } = {};
  let size = 0;

  function line(text: string, out: SseEvent[]): void {
    if (text === "") {
      if (Object.keys(block).length > 0) {
        const { data, ...fields } = block;
        out.push({ ...fields, ...(data === undefined ? {} : { data: data.join("\n") }) });
      }
      block = {};
      size = 0;
      return;
    }
    if (text.startsWith(":")) return;
    const colon = text.indexOf(":");
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? "" : text.slice(text.charAt(colon + 1) === " " ? colon + 2 : colon + 1);
    if (!FIELDS.has(field)) {
      if (badLines.length < 100) badLines.push(text.slice(0, 1000));
      return;
    }
    size += value.length;
    if (size > CAPS.message) return;
    if (field === "data") block.data = [...(block.data ?? []), value];
    else if (field === "event") block.name = value;
    else if (field === "id") block.id = value;
    else block.retry = value;
  }

  return {
    badLines,
    unfinished() {
      const last = /^data: ?(.+)/s.exec(rest)?.[1];
      const data = [...(block.data ?? []), ...(last === undefined ? [] : [last])];
      return data.length === 0 ? undefined : data.join("\n");
    },
    feed(bytes) {
      let text = decoder.decode(bytes, { stream: true });
      const out: SseEvent[] = [];
      // A CRLF may be cut in two: the LF belongs to the line that has already ended.
      if (afterCr && text.startsWith("\n")) text = text.slice(1);
      if (text !== "") afterCr = text.endsWith("\r");
      rest += text;
      const lines = rest.split(/\r\n|\n|\r/);
      rest = lines.pop() ?? "";
      if (rest.length > CAPS.message) rest = rest.slice(0, CAPS.message);
      for (const each of lines) line(each, out);
      return out;
    },
  };
}
