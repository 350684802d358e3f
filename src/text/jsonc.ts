/**
 * Reads JSON as people write it: with comments, trailing commas and a byte order mark. Of a name that stands twice in
 * an object the last counts, as in JSON.parse. Throws a SyntaxError that names the line and the column.
 */
export function parseJsonc(source: string): unknown {
  const text = source.startsWith("\ufeff") ? source.slice(1) : source;
  let at = 0;
  let depth = 0;

  const trouble = (what: string, where = at): SyntaxError => {
    const before = text.slice(0, where).split(/\r\n|\r|\n/);
    return new SyntaxError(`line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${what}`);
  };

  function blanks(): void {
    for (;;) {
      const skipped = sticky(/[ \t\r\n]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//y);
      if (skipped !== undefined) continue;
      if (text.startsWith("/*", at)) throw trouble("the comment that starts here is never closed");
      return;
    }
  }

  function sticky(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  }

  function value(): unknown {
    blanks();
    const c = text[at];
    if (c === "{") return nested(object);
    if (c === "[") return nested(array);
    if (c === '"') return string();
    const word = sticky(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y);
    if (word !== undefined) return JSON.parse(word);
    throw trouble(seen());
  }

  function nested<T>(read: () => T): T {
    if (++depth > DEEPEST) throw trouble(`more than ${DEEPEST} levels of nesting`);
    const found = read();
    depth--;
    return found;
  }

  function object(): unknown {
    const open = at++;
    const entries: [string, unknown][] = [];
    for (;;) {
      blanks();
      if (text[at] === "}") break;
      if (at >= text.length) throw trouble("this { is never closed", open);
      if (text[at] !== '"') throw trouble(`${seen()}, where a name in double quotes is due`);
      const name = string();
      blanks();
      if (text[at] !== ":") throw trouble(`${seen()}, where the : after ${JSON.stringify(name)} is due`);
      at++;
      entries.push([name, value()]);
      if (!comma("}", open)) break;
    }
    at++;
    // Not by assignment: a name may be __proto__.
    return Object.fromEntries(entries);
  }

  function array(): unknown {
    const open = at++;
    const items: unknown[] = [];
    for (;;) {
      blanks();
      if (text[at] === "]") break;
      if (at >= text.length) throw trouble("this [ is never closed", open);
      items.push(value());
      if (!comma("]", open)) break;
    }
    at++;
    return items;
  }

  function comma(close: string, open: number): boolean {
    blanks();
    if (text[at] === close) return false;
    if (at >= text.length) throw trouble(`this ${text[open]} is never closed`, open);
    if (text[at] !== ",") throw trouble(`${seen()}, where a comma or ${close} is due`);
    at++;
    return true;
  }

  function string(): string {
    const start = at;
    const raw = sticky(/"(?:[^"\\\r\n]|\\[^\r\n])*"/y);
    if (raw === undefined) throw trouble("the text that starts here is not closed on its line", start);
    try {
      // A tab is no mistake worth stopping for.
      return JSON.parse(raw.replace(/\t/g, "\\t"));
    } catch {
      throw trouble("a backslash or a control character in this text is none of JSON's", start);
    }
  }

  function seen(): string {
    if (at >= text.length) return text.trim() === "" ? "the file is empty" : "the text ends too early";
    if (text[at] === "'") return "a single quote: JSON's texts stand in double quotes";
    const word = /[\w$.+-]+|[\s\S]/uy;
    word.lastIndex = at;
    return `unexpected ${JSON.stringify(word.exec(text)?.[0] ?? "")}`;
  }

  const read = value();
  blanks();
  if (at < text.length) throw trouble(`${seen()} after the end of the value`);
  return read;
}

// --- internal ---

const DEEPEST = 100;
