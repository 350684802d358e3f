import {
  arr,
  base64,
  bool,
  by,
  dict,
  either,
  enumOf,
  has,
  int,
  obj,
  oneOf,
  str,
  unit,
  uri,
  uriTemplate,
} from "./shape.ts";

/** The things of which messages are made: alike in all revisions, but for what 2026-07-28 has anew. */

export const object = obj({});
export const meta = { _meta: object };
export const role = enumOf("user", "assistant");

const icons = arr(obj({ src: uri }, { mimeType: str, sizes: arr(str), theme: enumOf("light", "dark") }));
const annotations = obj({}, { audience: arr(role), priority: unit, lastModified: str });
export const described = { title: str, description: str, icons };

export const implementation = obj({ name: str, version: str }, { ...described, websiteUrl: uri });

const rooted = obj({ type: enumOf("object") }, { $schema: str, properties: dict(object), required: arr(str) });
const hints = { readOnlyHint: bool, destructiveHint: bool, idempotentHint: bool, openWorldHint: bool };
export const toolAnnotations = obj({}, { title: str, ...hints });
export const tool = obj(
  { name: str, inputSchema: rooted },
  {
    ...described,
    outputSchema: rooted,
    annotations: toolAnnotations,
    execution: obj({}, { taskSupport: enumOf("forbidden", "optional", "required") }),
    ...meta,
  },
);

const listed = { ...described, mimeType: str, annotations, ...meta };
export const resource = obj({ uri, name: str }, { ...listed, size: int });
export const template = obj({ uriTemplate, name: str }, listed);

const argument = obj({ name: str }, { title: str, description: str, required: bool });
export const prompt = obj({ name: str }, { ...described, arguments: arr(argument), ...meta });

const textContents = obj({ uri, text: str }, { mimeType: str, ...meta });
const blobContents = obj({ uri, blob: base64 }, { mimeType: str, ...meta });
const anyContents = either(blobContents, textContents);
/** What a resource holds: text, or bytes. */
export const contents = by((value) => {
  if (has(value, "blob")) return has(value, "text") ? anyContents : blobContents;
  return textContents;
});

const media = obj({ data: base64, mimeType: str }, { annotations, ...meta });
export const spoken = { text: obj({ text: str }, { annotations, ...meta }), image: media, audio: media };
/** A content block of a tool's result or a prompt's message. */
export const block = oneOf("type", {
  ...spoken,
  resource_link: resource,
  resource: obj({ resource: contents }, { annotations, ...meta }),
});

/** What tools/call brings, and what a tool_result says of it. */
export const toolResult = obj({ content: arr(block) }, { structuredContent: object, isError: bool, ...meta });

const turn = oneOf("type", {
  ...spoken,
  tool_use: obj({ id: str, name: str, input: object }, meta),
  tool_result: obj({ toolUseId: str, content: arr(block) }, { structuredContent: object, isError: bool, ...meta }),
});
const turns = arr(turn);
/** One block, or several. */
const said = by((value) => (Array.isArray(value) ? turns : turn));
export const samplingMessage = obj({ role, content: said }, meta);
export const promptMessage = obj({ role, content: block });
