import { isObject } from "../../model/json.ts";
import { type Compiled, compile } from "../../schema/dialect.ts";

/** The first revision that says which dialect a schema without `$schema` is written in. */
const DEFAULTED = "2025-11-25";
const OTHERS = [
  "http://json-schema.org/draft-07/schema#",
  "https://json-schema.org/draft/2019-09/schema",
  "http://json-schema.org/draft-06/schema#",
];

/** The schema compiled in the dialect it names, else in 2020-12; older revisions leave the dialect open. */
export function compiled(schema: unknown, negotiated: string): Compiled {
  const first = compile(schema);
  if (first.ok !== false || negotiated >= DEFAULTED || !isObject(schema) || "$schema" in schema) return first;
  return OTHERS.map((uri) => compile({ $schema: uri, ...schema })).find(({ ok }) => ok !== false) ?? first;
}
