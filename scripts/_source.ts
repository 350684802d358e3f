const SKIPPED = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const QUOTED = /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/y;
const PATTERN = /\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const TEMPLATE = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{|$)/y;
const WORD = /[\w$]+/y;
/** After these a slash divides; after anything else it opens a regular expression. */
const VALUE_END = /^(?:[)\]}]|"|(?!(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield)$)[\w$]+)$/;

/** A module named by a source file, or undefined where the name is computed. */
export interface Import {
  readonly specifier: string | undefined;
  readonly at: number;
}

/** The text with comments and the insides of strings, templates and regular expressions blanked; offsets are kept. */
export function bare(text: string): string {
  const out: string[] = [];
  const substitutions: number[] = [];
  let braces = 0;
  let previous = "";
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  const template = () => {
    const found = take(TEMPLATE) ?? "";
    at += found.length;
    if (found.endsWith("${")) {
      substitutions.push(braces);
      out.push(blank(found.slice(0, -2)), "${");
      previous = "{";
    } else {
      out.push(blank(found.slice(0, -1)), found.slice(-1));
      previous = '"';
    }
  };
  while (at < text.length) {
    const char = text.charAt(at);
    const skipped = take(SKIPPED);
    const quoted = skipped === undefined ? take(QUOTED) : undefined;
    const pattern = skipped === undefined && !VALUE_END.test(previous) ? take(PATTERN) : undefined;
    const token = skipped ?? quoted ?? pattern ?? take(WORD) ?? char;
    at += token.length;
    if (skipped !== undefined) {
      out.push(blank(token));
      continue;
    }
    if (quoted !== undefined || pattern !== undefined) {
      out.push(char, blank(token.slice(1, -1)), char);
      previous = '"';
      continue;
    }
    out.push(token);
    if (char === "`") template();
    else if (char === "}" && substitutions.at(-1) === braces) {
      substitutions.pop();
      template();
    } else if (/\S/.test(char)) {
      if (char === "{") braces += 1;
      if (char === "}") braces -= 1;
      previous = token;
    }
  }
  return out.join("");
}

/** Every static, dynamic and type-only import and re-export of a source text. */
export function imports(text: string, code: string = bare(text)): readonly Import[] {
  const named = /(?<![.\w$])(?:from\s*|import\s*\(?\s*|require\s*\(\s*)(["'])/g;
  const computed = /(?<![.\w$])import\s*\(\s*(?!["'\s])/g;
  return [
    ...[...code.matchAll(named)].map((found) => {
      const start = found.index + found[0].length;
      return { specifier: text.slice(start, code.indexOf(found[1] ?? '"', start)), at: found.index };
    }),
    ...[...code.matchAll(computed)].map((found) => ({ specifier: undefined, at: found.index })),
  ].sort((one, other) => one.at - other.at);
}

const blank = (text: string): string => text.replace(/[^\n]/g, " ");
