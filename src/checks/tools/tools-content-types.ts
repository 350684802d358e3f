import { negotiated } from "../../facts/opening.ts";
import { calls } from "../../facts/tools.ts";
import type { Bendable } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { each, skipped } from "../../model/outcome.ts";
import { cap } from "../../text/escape.ts";
import { contentComplaint } from "../_content.ts";
import { misshapen } from "../_misshapen.ts";

const DATA = "aGVsbG8=";

/** A server whose tool `now` answers with this content. */
const showing =
  (...content: readonly unknown[]) =>
  (server: Bendable): void =>
    server.tool("now", () => ({ content }));

export default defineCheck({
  id: "tools-content-types",
  title: "Each item of a tool's content is of a known type and complete",
  why: "One item of an unknown type, or a path where a URI belongs, makes strict clients throw the whole answer away.",
  fix: "Send text (text), image or audio (data in standard base64, mimeType), resource_link (uri, name) or resource (resource with uri and text or blob).",
  snippet: [
    '"content": [',
    '  { "type": "text", "text": "done" },',
    '  { "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png" },',
    '  { "type": "resource_link", "uri": "file:///notes/1.md", "name": "1.md" },',
    '  { "type": "resource", "resource": { "uri": "file:///notes/1.md", "text": "…" } }',
    "]",
  ],
  effect: "shared",
  needs: { calls, negotiated },
  faults: [
    misshapen("sends content of an unknown type", showing({ type: "markdown", text: "*done*" })),
    misshapen("sends content without a type", showing({ text: "done" })),
    misshapen("sends a bare text among its content", showing("done")),
    misshapen("sends null among its content", showing(null)),
    misshapen("sends text content without a text", showing({ type: "text" })),
    misshapen("sends text content whose text is null", showing({ type: "text", text: null })),
    misshapen("sends text content whose text is an object", showing({ type: "text", text: { calls: 3 } })),
    misshapen(
      "spoils only the last item of its content",
      showing({ type: "text", text: "" }, { type: "text", value: "done" }),
    ),
    misshapen("sends an image without its mimeType", showing({ type: "image", data: DATA })),
    misshapen("sends an image without data", showing({ type: "image", mimeType: "image/png" })),
    fault(
      "sends an image as a data: URL",
      showing({ type: "image", mimeType: "image/png", data: `data:image/png;base64,${DATA}` }),
    ),
    misshapen(
      "sends an image as an array of bytes",
      showing({ type: "image", mimeType: "image/png", data: [137, 80] }),
    ),
    fault(
      "sends audio in base64 without its padding",
      showing({ type: "audio", mimeType: "audio/wav", data: "aGVsbG8" }),
    ),
    fault("sends audio in base64 for URLs", showing({ type: "audio", mimeType: "audio/wav", data: "-_-_" })),
    misshapen("links to a resource without a name", showing({ type: "resource_link", uri: "assay://notes/first" })),
    fault("links to a resource by a relative path", showing({ type: "resource_link", uri: "docs/a.md", name: "a" })),
    fault(
      "embeds a resource by a relative path",
      showing({ type: "resource", resource: { uri: "docs/a.md", text: "a" } }),
    ),
    misshapen(
      "embeds a resource without its contents",
      showing({ type: "resource", uri: "assay://notes/first", text: "a" }),
    ),
    misshapen(
      "embeds a resource with neither text nor blob",
      showing({ type: "resource", resource: { uri: "assay://notes/first" } }),
    ),
    fault(
      "embeds a resource whose blob is no base64",
      showing({ type: "resource", resource: { uri: "assay://logo", blob: "%%%" } }),
    ),
    fault(
      "sends a resource_link in a session of 2025-03-26",
      showing({ type: "resource_link", uri: "assay://logo", name: "logo" }),
      { only: "2025-11-25", world: { newest: "2025-03-26" } },
    ),
    fault("sends audio in a session of 2024-11-05", showing({ type: "audio", mimeType: "audio/wav", data: DATA }), {
      only: "2025-11-25",
      world: { newest: "2024-11-05" },
    }),
  ],
  async run({ calls, negotiated }) {
    const items = calls.flatMap(({ tool, exchange, completed }) => {
      const content = completed?.["content"];
      return Array.isArray(content) ? content.map((item: unknown) => ({ tool, exchange, item })) : [];
    });
    if (items.length === 0) return skipped("no call of a tool brought any content");
    const found = items.map(({ item }) => contentComplaint(item, negotiated));
    const bad =
      items[
        Math.max(
          0,
          found.findIndex((one) => one !== undefined),
        )
      ];
    return each(
      "content items",
      items,
      ({ tool }, index) => {
        const one = found[index];
        return one === undefined ? undefined : [one[0], `${one[1]} from tool ${JSON.stringify(cap(tool.name, 60))}`];
      },
      [bad?.exchange],
    );
  },
});
