import type { Progress, Verdict } from "../model/report.ts";
import { oneLine } from "../text/escape.ts";
import { neutral } from "../text/markup.ts";
import type { Redact } from "../text/redact.ts";

const MARKS = { pass: "PASS", fail: "FAIL", blocked: "FAIL", skipped: "SKIP", error: "ERROR" } as const;

/** A line for each verdict (`--verbose`), or one line that is written over (on a terminal), or nothing. */
export function progressOn(
  stream: NodeJS.WriteStream,
  how: { readonly verbose: boolean; readonly redact: Redact },
): { readonly tell: Progress; say(text: string): void; done(): void } {
  const live = !how.verbose && stream.isTTY === true;
  return {
    tell(verdict, done, of) {
      if (how.verbose)
        stream.write(
          `${MARKS[verdict.outcome.status]} ${verdict.row.id}: ${neutral(oneLine(how.redact(said(verdict)), 300))}\n`,
        );
      else if (live) stream.write(`\r\u001b[2K${done}/${of} ${verdict.row.id}`);
    },
    /** A dim line that says why nothing happens. */
    say(text) {
      if (stream.isTTY === true) stream.write(`\u001b[2m${text}\u001b[22m\n`);
      else stream.write(`${text}\n`);
    },
    done() {
      if (live) stream.write("\r\u001b[2K");
    },
  };
}

// --- internal ---

function said({ outcome }: Verdict): string {
  switch (outcome.status) {
    case "pass":
      return outcome.saw;
    case "fail":
      return `expected ${outcome.expected}, got ${outcome.actual}`;
    case "blocked":
      return `Cannot be evaluated: ${outcome.because}`;
    default:
      return outcome.because;
  }
}
