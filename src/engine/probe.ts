import type { RevisionId } from "../model/catalog.ts";
import type { Exchange } from "../model/exchange.ts";
import type { TargetView } from "../model/session.ts";
import { revision20260728 } from "../revisions/2026-07-28.ts";
import { startHttp } from "../wire/http.ts";
import type { Recorder } from "../wire/recorder.ts";
import { type Process, startProcess } from "../wire/stdio.ts";
import type { Target, Times } from "./context.ts";
import { type Era, eraOf } from "./era.ts";
import { createPatience } from "./patience.ts";

/** The sender of the probe's exchanges: reviews leave them out. */
export const PROBE = "era probe";

/** What the probe found, and the process it was sent to, which goes on to be graded. */
export interface Probed {
  readonly era: Era;
  readonly exchange: Exchange;
  readonly warnings: readonly string[];
  readonly process?: Adoptable;
}

/** A process that was started before the session that will use it. */
export interface Adoptable {
  readonly process: Process;
  /** From now on its messages are told to this listener. */
  attach(hear: Parameters<typeof startProcess>[2]["hear"]): void;
}

interface Probing {
  readonly target: Target;
  readonly view: TargetView;
  readonly recorder: Recorder;
  readonly times: Times;
  readonly status?: (message: string) => void;
}

/** Sends one conforming server/discover. Over HTTP a time-out is tried once more, within the start-up's limit. */
export async function probe(probing: Probing): Promise<Probed> {
  const { target, view, times, status } = probing;
  if (target.kind === "http") {
    const first = await createPatience(() => false)(() => discover(probing, target, times.preflight));
    const late = first.end === "timeout";
    if (late)
      status?.(`no answer to server/discover within ${times.preflight} ms; asking again, for ${times.startup} ms`);
    const exchange = late ? await discover(probing, target, times.startup) : first;
    return { exchange, era: eraOf(exchange, view), warnings: [] };
  }
  return discoverStdio(probing, target);
}

/** What a run that is pinned to one revision should be told of the probe, if anything. */
export function pinnedWarning(pinned: RevisionId, { modern, clear, dual, note }: Era): string | undefined {
  if (!clear) return undefined;
  if (pinned === "2025-11-25") {
    if (dual) return `The server is dual-era (${note}); this run grades its 2025-11-25 side.`;
    if (!modern) return undefined;
    return `The server answered server/discover as one of 2026-07-28 does (${note}), and this run is pinned to 2025-11-25. Run it again with --spec-version 2026-07-28 (or auto) to grade that.`;
  }
  if (modern) return undefined;
  return `The server answered server/discover as a legacy server does (${note}), and this run is pinned to 2026-07-28. Run it again with --spec-version 2025-11-25 (or auto) to grade that.`;
}

// --- internal ---

const ID = "era-1";
const state = { capabilities: {} };
const message = () => revision20260728.stamp({ jsonrpc: "2.0", id: ID, ...revision20260728.opening(state) }, state);

function discover(
  { recorder }: Probing,
  target: Extract<Target, { kind: "http" }>,
  timeout: number,
): Promise<Exchange> {
  const request = message();
  return startHttp(recorder, target.tls, {
    sender: PROBE,
    session: recorder.session(),
    method: "POST",
    url: target.url,
    headers: [
      ["Content-Type", "application/json"],
      ["Accept", "application/json, text/event-stream"],
      ...target.headers,
      ...revision20260728.frame(state, request, new Map()),
    ],
    body: JSON.stringify(request),
    request,
    until: { reply: ID },
    timeout,
  }).done;
}

async function discoverStdio(
  { recorder, times, view }: Probing,
  target: Extract<Target, { kind: "stdio" }>,
): Promise<Probed> {
  let listener: Parameters<typeof startProcess>[2]["hear"];
  const process = startProcess(recorder, target.command, {
    hear: (received) => listener?.(received),
    ...(target.stderr === undefined ? {} : { stderr: target.stderr }),
  });
  const request = message();
  const exchange = await process.send({
    sender: PROBE,
    pieces: [`${JSON.stringify(request)}\n`],
    request,
    reply: { id: ID },
    timeout: times.startup,
  });
  const era = eraOf(exchange, view);
  if (exchange.end === "closed") {
    const tail = process.stderrTail().trim().split("\n").slice(-3).join(" | ");
    await process.close(0);
    const said = tail === "" ? "" : ` Its stderr ended with: ${tail}`;
    return {
      era,
      exchange,
      warnings: [
        `The server's process ${exchange.cause ?? "ended"} when it was asked server/discover; a fresh one is graded as 2025-11-25. --spec-version 2025-11-25 leaves the question out.${said}`,
      ],
    };
  }
  return {
    era,
    exchange,
    warnings: [],
    process: {
      process,
      attach(hear) {
        listener = hear;
      },
    },
  };
}
