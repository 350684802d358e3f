// Shorter pieces turn up in other texts by chance.
const SHORTEST = 8;

/** The text in both base64 alphabets, whole and as it stands inside a longer encoded text. */
export function base64Forms(text: string): readonly string[] {
  const whole = Buffer.from(text).toString("base64");
  const inside = [0, 1, 2].map((lead) => within(text, lead)).filter((each) => each.length >= SHORTEST);
  const standard = [whole, whole.replace(/=+$/, ""), ...inside];
  return [...standard, ...standard.map((each) => each.replaceAll("+", "-").replaceAll("/", "_"))];
}

/** The characters that depend on the text alone when `lead` (modulo 3) bytes stand before it. */
function within(text: string, lead: number): string {
  const bytes = Buffer.concat([Buffer.alloc(lead), Buffer.from(text)]);
  return bytes.toString("base64").slice(Math.ceil((lead * 8) / 6), Math.floor((bytes.length * 8) / 6));
}
