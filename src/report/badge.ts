import { assess, type Grade } from "../grade/grade.ts";
import type { Report } from "../model/report.ts";

/** The grade as an SVG to put into a README. Nothing in it is the server's. */
export function toBadge(report: Report): string {
  const { grade, score, measured } = assess(report.verdicts);
  const label = `MCP ${report.revision}`;
  const value =
    measured === 0 ? "not measured" : report.partial === undefined ? `${grade} ${score.toFixed(1)}` : "partial";
  const color = measured === 0 || report.partial !== undefined ? "#6e7781" : COLORS[grade];
  const [left, right] = [width(label), width(value)];
  const all = left + right;
  const text = (words: string, from: number, room: number): string => {
    const place = `x="${from + room / 2}" textLength="${room - 2 * PAD}" lengthAdjust="spacingAndGlyphs"`;
    // The shadow keeps white letters legible on the brighter colours.
    return `    <text ${place} y="15" fill="#010101" fill-opacity=".3" aria-hidden="true">${words}</text>\n    <text ${place} y="14">${words}</text>`;
  };
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${all}" height="20" role="img" aria-label="${label}: ${value}">
  <title>${label}: ${value}</title>
  <clipPath id="r"><rect width="${all}" height="20" rx="3"/></clipPath>
  <g clip-path="url(#r)">
    <rect width="${left}" height="20" fill="#3b4046"/>
    <rect x="${left}" width="${right}" height="20" fill="${color}"/>
  </g>
  <g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">
${text(label, 0, left)}
${text(value, left, right)}
  </g>
</svg>
`;
}

// --- internal ---

const PAD = 7;

const COLORS: Readonly<Record<Grade, string>> = {
  A: "#2f7d32",
  B: "#4c7d1f",
  C: "#8a6d00",
  D: "#b4530a",
  F: "#c0322b",
};

/** Of the words in Verdana at 11 px, about, with room on both sides. */
function width(words: string): number {
  const letters = [...words].reduce((sum, each) => sum + (/[ .il]/.test(each) ? 4 : /[mMW]/.test(each) ? 9.5 : 7), 0);
  return Math.round(letters) + 2 * PAD;
}
