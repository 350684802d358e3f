import { isObject } from "../model/json.ts";

/** Each change at each place of a message, and 400 seeded pairs of changes. */
export function* mutations(message: unknown): Generator<unknown> {
  const singles = [...paths(message)].flatMap((path) => changes(message, path));
  for (const change of singles) yield change();
  const random = seeded(20251125);
  for (let i = 0; i < 400; i += 1) {
    const once = singles[Math.floor(random() * singles.length)]?.();
    const [, ...places] = paths(once);
    const place = places[Math.floor(random() * places.length)];
    const twice = place === undefined ? [] : changes(once, place);
    yield twice[Math.floor(random() * twice.length)]?.() ?? once;
  }
}

const BAD: readonly unknown[] = [
  ...[null, true, false, 0, 1, -1, 2, 0.5, 1e20, "", "a", "user", "text", "object", "form", "url", "not a uri", "A==="],
  ...["string", "array", "2.0", "2025-01-01", [], [null], ["a"], [1], [{}], {}, { a: 1 }, { a: {} }, { type: "text" }],
  { type: "text", text: "a" },
  { uri: "a:b", text: "a" },
  Array.from({ length: 101 }, () => "a"),
];
const NAMES = [
  "type",
  "text",
  "blob",
  "uri",
  "name",
  "mode",
  "error",
  "result",
  "method",
  "id",
  "task",
  "content",
  "enum",
];

type Path = readonly (string | number)[];

function* paths(value: unknown, here: Path = []): Generator<Path> {
  yield here;
  const members = Array.isArray(value)
    ? [...value.entries()].slice(0, 8)
    : isObject(value)
      ? Object.entries(value)
      : [];
  for (const [key, member] of members) yield* paths(member, [...here, key]);
}

function changes(message: unknown, path: Path): readonly (() => unknown)[] {
  const replaced = BAD.map((bad) => () => altered(message, path, () => bad));
  const added = NAMES.flatMap((name) =>
    BAD.slice(0, 12).map(
      (bad) => () => altered(message, path, (old) => (isObject(old) ? { ...old, [name]: bad } : old)),
    ),
  );
  return [() => altered(message, path, () => undefined), ...replaced, ...(path.length < 4 ? added : [])];
}

/** A copy with another value at a place; `undefined` takes the member or item away. */
function altered(value: unknown, path: Path, change: (old: unknown) => unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  const members = (Array.isArray(value) ? [...value.entries()] : Object.entries(value ?? {})).map(
    ([key, member]): [string | number, unknown] => [key, key === step ? altered(member, rest, change) : member],
  );
  const kept = members.filter(([, member]) => member !== undefined);
  return Array.isArray(value) ? kept.map(([, member]) => member) : Object.fromEntries(kept);
}

/** mulberry32 */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
