/** What the reference server has to offer. Small, harmless, and the same in every run. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

export const media = {
  image: { type: "image", data: PIXEL, mimeType: "image/png" },
  audio: { type: "audio", data: SILENCE, mimeType: "audio/wav" },
  link: { type: "resource_link", uri: "assay://notes/first", name: "first" },
  resource: {
    type: "resource",
    resource: { uri: "assay://notes/first", mimeType: "text/plain", text: "A first note." },
  },
} as const;

export const notes: ReadonlyMap<string, string> = new Map([
  ["first", "A first note."],
  ["second", "A second note, with ünïcödé."],
  ["empty", ""],
]);

export const resources = [
  { uri: "assay://notes/first", name: "first", title: "The first note", mimeType: "text/plain", size: 13 },
  {
    uri: "assay://notes/second",
    name: "second",
    mimeType: "text/plain",
    annotations: { audience: ["user"], priority: 0.5 },
  },
  { uri: "assay://notes/empty", name: "empty", mimeType: "text/plain" },
  { uri: "assay://logo", name: "logo", mimeType: "image/png" },
] as const;

export const templates = [
  { uriTemplate: "assay://notes/{name}", name: "note", title: "A note by its name", mimeType: "text/plain" },
] as const;

export const prompts = [
  {
    name: "greeting",
    title: "A greeting",
    description: "Greets somebody by name",
    arguments: [{ name: "name", description: "Who is greeted", required: true }],
  },
  { name: "summary", description: "A summary of all notes" },
  {
    name: "review",
    description: "Asks for a review of code",
    arguments: [
      { name: "language", description: "The language of the code", required: true },
      { name: "style", description: "How strict to be", required: false },
    ],
  },
  { name: "picture", description: "A picture to describe" },
] as const;

export const languages = ["go", "java", "python", "rust", "typescript"] as const;

/** The contents of a resource, or undefined where there is none of that URI. */
export function contentsOf(uri: string): { readonly [key: string]: unknown } | undefined {
  if (uri === "assay://logo") return { uri, mimeType: "image/png", blob: PIXEL };
  const text = uri.startsWith("assay://notes/") ? notes.get(uri.slice("assay://notes/".length)) : undefined;
  return text === undefined ? undefined : { uri, mimeType: "text/plain", text };
}
