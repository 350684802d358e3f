import { type Facets, matches } from "./flat.ts";
import { textOf } from "./sample-pattern.ts";

/** A string of a schema's format, pattern and length; another one for another `index`, where that is easy. */
export function sampleText(facets: Facets, index: number): string {
  const { format, contentEncoding, pattern } = facets;
  const known = FORMATS[String(format)] ?? (contentEncoding === "base64" ? FORMATS["base64"] : undefined);
  const first = known === undefined ? numbered("example", index) : known(index);
  if (typeof pattern !== "string") return fitted(first, facets);
  const candidates = [first, ...WORDS.map((word) => numbered(word, index)), ...WORDS];
  const long = [0, 1, 2, 4, 8, 16, 32, 64].map((extra) => textOf(pattern, extra + index) ?? "");
  const fits = (text: string) => fitted(text, facets) === text && matches(pattern, text);
  const found = candidates.map((text) => fitted(text, facets)).find(fits) ?? long.find(fits);
  return found ?? fitted(long.find((text) => matches(pattern, text)) ?? first, facets);
}

const LONGEST = 10_000;
const WORDS = [
  "example",
  "Example",
  "EXAMPLE",
  "a",
  "A",
  "1",
  "0",
  "/example",
  "#example",
  "1.0.0",
  "2025-01-01",
  "example12345",
  "Example-2025",
];

const day = (index: number): string => `2025-01-${two(1 + (index % 28))}`;
const two = (value: number): string => String(value).padStart(2, "0");
const numbered = (word: string, index: number): string => (index === 0 ? word : `${word}${index + 1}`);

const FORMATS: Readonly<Record<string, (index: number) => string>> = Object.assign(Object.create(null), {
  date: day,
  "date-time": (index: number) => `${day(index)}T12:00:00Z`,
  time: (index: number) => `12:${two(index % 60)}:00Z`,
  duration: (index: number) => `P${index + 1}D`,
  uri: (index: number) => `https://example.com/${numbered("", index)}`,
  url: (index: number) => `https://example.com/${numbered("", index)}`,
  iri: (index: number) => `https://example.com/${numbered("", index)}`,
  "uri-reference": (index: number) => numbered("/example", index),
  "iri-reference": (index: number) => numbered("/example", index),
  "uri-template": (index: number) => `https://example.com/${numbered("", index)}{id}`,
  email: (index: number) => `${numbered("user", index)}@example.com`,
  "idn-email": (index: number) => `${numbered("user", index)}@example.com`,
  hostname: (index: number) => `${numbered("host", index)}.example.com`,
  "idn-hostname": (index: number) => `${numbered("host", index)}.example.com`,
  ipv4: (index: number) => `192.0.2.${(index % 254) + 1}`,
  ipv6: (index: number) => `2001:db8::${(index + 1).toString(16)}`,
  uuid: (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
  "json-pointer": (index: number) => numbered("/example", index),
  "relative-json-pointer": (index: number) => String(index),
  regex: (index: number) => `^${numbered("example", index)}$`,
  byte: (index: number) => btoa(numbered("example", index)),
  base64: (index: number) => btoa(numbered("example", index)),
});

/** Cut or filled up to the length that is asked for. */
function fitted(text: string, facets: Facets): string {
  const least = Math.min(amount(facets["minLength"]) ?? 0, LONGEST);
  const cut = text.slice(0, amount(facets["maxLength"]) ?? text.length);
  // An address stays one when its first part grows.
  return facets["format"] === "email" ? cut.padStart(least, "x") : cut.padEnd(least, "x");
}

const amount = (value: unknown): number | undefined => (typeof value === "number" && value >= 0 ? value : undefined);
