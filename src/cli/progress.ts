import type { Row } from "../model/catalog.ts";
import type { Progress, Verdict } from "../model/report.ts";
import { oneLine } from "../text/escape.ts";
import { neutral } from "../text/markup.ts";
import type { Redact } from "../text/redact.ts";

const MARKS = { pass: "PASS", fail: "FAIL", blocked: "FAIL", skipped: "SKIP", error: "ERROR" } as const;

/** Where progress is told; a terminal, or a file or pipe. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/**
 * How a run gets on: a line for each verdict (`--verbose`); on a terminal one line that is written over, with what runs
 * now; elsewhere a plain line now and then, so that whoever reads a log knows that we live.
 */
export function progressOn(
  stream: ProgressStream,
  {
    verbose,
    redact,
    dumb = false,
    clock = () => performance.now(),
  }: {
    readonly verbose: boolean;
    readonly redact: Redact;
    /** A terminal that can't go back in its line (TERM=dumb) is told as a file is. */
    readonly dumb?: boolean;
    readonly clock?: () => number;
  },
): {
  readonly starting: (row: Row, of: number) => void;
  readonly tell: Progress;
  say(text: string): void;
  done(): void;
} {
  const able = stream.isTTY === true && !dumb;
  const live = !verbose && able;
  const began = clock();
  let now = "";
  let count = "";
  let spoken = began;
  let timer: ReturnType<typeof setInterval> | undefined;
  const seconds = () => `${Math.floor((clock() - began) / 1000)} s`;

  function paint(): void {
    const line = [count, now, seconds()].filter((part) => part !== "").join("  ");
    stream.write(`\r\u001b[2K${line.slice(0, Math.max(20, (stream.columns ?? 80) - 1))}`);
  }

  return {
    starting({ id }, of) {
      now = id;
      if (count === "") count = `0/${of}`;
      if (!live) return;
      // Elapsed time goes on while a check waits.
      if (timer === undefined) {
        timer = setInterval(paint, 1000);
        timer.unref();
      }
      paint();
    },
    tell(verdict, done, of) {
      count = `${done}/${of}`;
      if (verbose) {
        const { row, outcome, attempts } = verdict;
        const tries = attempts === undefined ? "" : ` (attempt ${attempts})`;
        // In the log of a CI system a server's text may be no command.
        const what = neutral(oneLine(redact(said(verdict)), 300));
        stream.write(`${MARKS[outcome.status]} ${row.id}: ${what}${tries}\n`);
      } else if (live) paint();
      else if (clock() - spoken >= QUIET) {
        spoken = clock();
        stream.write(`${done} of ${of} checks, ${seconds()}\n`);
      }
    },
    /** A dim line that says why nothing happens. */
    say(text) {
      if (able) stream.write(`\r\u001b[2K\u001b[2m${text}\u001b[22m\n`);
      else stream.write(`${text}\n`);
    },
    done() {
      clearInterval(timer);
      if (live) stream.write("\r\u001b[2K");
    },
  };
}

// --- internal ---

/** Milliseconds between two plain lines. */
const QUIET = 10_000;

function said({ outcome }: Verdict): string {
  switch (outcome.status) {
    case "pass":
      return outcome.note === undefined ? outcome.saw : `${outcome.saw} (${outcome.note})`;
    case "fail":
      return `expected ${outcome.expected}, got ${outcome.actual}`;
    case "blocked":
      return `Cannot be evaluated: ${outcome.because}`;
    default:
      return outcome.because;
  }
}
