/**
 * Reads a dotenv file: NAME=VALUE on each line, `export` before it, # comments, values in single, double or back
 * quotes that may go over several lines, \n and \r and \t in double quotes; a byte order mark and CRLF are let pass.
 * Nothing is expanded. Throws a SyntaxError that names the line. (node:util's parseEnv is missing in the first
 * releases of Node 20, keeps a byte order mark in the first name, and drops what it can't read in silence.)
 */
export function parseDotenv(source: string): Readonly<Record<string, string>> {
  const text = source.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const found: [string, string][] = [];
  let at = 0;
  while (at < text.length) {
    const end = lineEnd(text, at);
    const line = text.slice(at, end);
    if (/^\s*(#|$)/.test(line)) {
      at = end + 1;
      continue;
    }
    const [start, name] = /^\s*(?:export\s+)?([\w.-]+)[ \t]*=[ \t]*/.exec(line) ?? [];
    if (start === undefined || name === undefined) {
      const hint = /^\s*(?:export\s+)?[\w.-]+\s*:/.test(line) ? " (with =, not :)" : "";
      throw new SyntaxError(`line ${lineOf(text, at)}: write NAME=VALUE${hint}`);
    }
    const from = at + start.length;
    const quote = text[from] ?? "";
    if (quote !== '"' && quote !== "'" && quote !== "`") {
      found.push([
        name,
        text
          .slice(from, end)
          .replace(/(?:^|\s)#.*$/, "")
          .trim(),
      ]);
      at = end + 1;
      continue;
    }
    const close = closing(text, from + 1, quote);
    if (close < 0) throw new SyntaxError(`line ${lineOf(text, at)}: the ${quote} of ${name} is never closed`);
    const raw = text.slice(from + 1, close);
    found.push([name, quote === '"' ? raw.replace(/\\([nrt"\\])/g, (_, c: string) => ESCAPES[c] ?? c) : raw]);
    const after = lineEnd(text, close);
    if (!/^\s*(#.*)?$/.test(text.slice(close + 1, after))) {
      throw new SyntaxError(`line ${lineOf(text, close)}: there is more after the closing ${quote} of ${name}`);
    }
    at = after + 1;
  }
  return Object.fromEntries(found);
}

// --- internal ---

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split("\n").length;

function closing(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\" && quote === '"') at++;
    else if (text[at] === quote) return at;
  }
  return -1;
}
