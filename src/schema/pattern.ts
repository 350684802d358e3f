import { Unjudged } from "./limits.ts";

/** A regular expression of a schema, run only where it surely ends soon. */
export interface Pattern {
  /** Throws `Unjudged` where matching this text might take very long. */
  test(text: string): boolean;
  toString(): string;
}

/** Throws `Unjudged` for a pattern that is too long, or is none in ECMAScript. */
export function pattern(source: string): Pattern {
  if (source.length > LONGEST) throw new Unjudged(`has a pattern of ${source.length} characters`);
  const effort = effortOf(source);
  const regExp = parse(source);
  return {
    test(text) {
      if (bits(effort, text.length) > MOST_BITS)
        throw new Unjudged(`has the pattern ${source}, which may take too long on ${text.length} characters`);
      return regExp.test(text);
    },
    toString: () => regExp.toString(),
  };
}

const LONGEST = 500;
const MOST_BITS = 27;
const MOST_REPEATS = 100_000;

/** What backtracking may cost: a power of the text's length, a factor of 2 ** bits, or, nested, 2 ** length. */
interface Effort {
  loops: number;
  bits: number;
  nested: boolean;
  repeats: number;
}

const bits = (effort: Effort, length: number): number =>
  effort.nested ? length * (1 + effort.bits) : effort.bits + Math.max(effort.loops, 1) * Math.log2(length + 1);

function parse(source: string): RegExp {
  // Ajv asks for the flag "u", but people also write what is only right without it, such as [\w-.].
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(source, flags);
    } catch {}
  }
  throw new Unjudged(`has the pattern ${source}, which is none in ECMAScript`);
}

const TOKEN = /\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|./sy;
const QUANTIFIER = /([*+?]|\{(\d+)(,(\d*))?\})\??/y;

function effortOf(source: string): Effort {
  const whole = nothing(source.startsWith("^") ? 0 : 1);
  const groups = [whole];
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(source); token !== null; token = TOKEN.exec(source)) {
    const here = groups.at(-1) ?? whole;
    if (token[0].startsWith("(")) {
      groups.push(nothing(0));
      continue;
    }
    if (token[0] === "|") here.bits += 1;
    const inner = token[0] === ")" && groups.length > 1 ? groups.pop() : nothing(0);
    repeat(inner ?? whole, source, groups.at(-1) ?? whole);
  }
  return whole;
}

const nothing = (loops: number): Effort => ({ loops, bits: 0, nested: false, repeats: 1 });

/** Adds to `outer` what the atom before the current place costs with the quantifier that follows it. */
function repeat(atom: Effort, source: string, outer: Effort): void {
  QUANTIFIER.lastIndex = TOKEN.lastIndex;
  const found = QUANTIFIER.exec(source);
  if (found !== null) TOKEN.lastIndex = QUANTIFIER.lastIndex;
  const [least, most] = found === null ? [1, 1] : range(found);
  const times = Math.min(most, 1000);
  const choosy = atom.loops > 0 || atom.bits > 0;
  outer.nested ||= atom.nested || (choosy && times > 10);
  outer.bits += atom.bits * (choosy && times > 10 ? 1 : Math.max(times, 1));
  outer.loops += atom.loops * Math.max(times, 1);
  if (most === Number.POSITIVE_INFINITY) outer.loops += 1;
  else outer.bits += Math.log2(most - least + 1);
  outer.repeats = Math.max(outer.repeats, atom.repeats * Math.max(least, 1));
  if (outer.repeats > MOST_REPEATS) throw new Unjudged(`has the pattern ${source}, which repeats too often`);
}

function range(quantifier: RegExpExecArray): readonly [number, number] {
  const [, sign, least = "0", comma, most] = quantifier;
  if (sign === "*") return [0, Number.POSITIVE_INFINITY];
  if (sign === "+") return [1, Number.POSITIVE_INFINITY];
  if (sign === "?") return [0, 1];
  if (comma === undefined) return [Number(least), Number(least)];
  return [
    Number(least),
    most === undefined || most === "" ? Number.POSITIVE_INFINITY : Math.max(Number(most), Number(least)),
  ];
}
