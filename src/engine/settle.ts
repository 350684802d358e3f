import type { TargetView } from "../model/session.ts";
import { revision20251125 } from "../revisions/2025-11-25.ts";
import { revision20260728 } from "../revisions/2026-07-28.ts";
import type { Revision } from "../revisions/revision.ts";
import type { Recorder } from "../wire/recorder.ts";
import type { Target, Times } from "./context.ts";
import { type Adoptable, pinnedWarning, probe } from "./probe.ts";

/** The revision that a run judges by, and what came of finding it. */
export interface Settled {
  readonly revision: Revision;
  /** How it was found, for the report's header. */
  readonly note?: string;
  readonly warnings: readonly string[];
  readonly adopt?: Adoptable | undefined;
  /** Whether the process ended when it was asked. */
  readonly killed?: boolean;
}

interface Wanted {
  readonly revision: Revision | "auto";
  readonly target: Target;
  readonly times: Times;
  readonly status?: (message: string) => void;
}

/** Settles the revision: by the server's answer to server/discover, or as the user pinned it. */
export async function settleRevision(
  { revision, target, times, status }: Wanted,
  recorder: Recorder,
  view: TargetView,
): Promise<Settled> {
  const pinned = revision !== "auto";
  // HTTP+SSE is older than both; a pinned stdio run gives no process a message it need not get.
  const silent = target.kind === "http" ? target.sse === true : pinned;
  if (silent) return { revision: pinned ? revision : revision20251125, warnings: [] };
  const { era, warnings, process } = await probe({
    target,
    view,
    recorder,
    times,
    ...(status === undefined ? {} : { status }),
  });
  if (pinned) {
    const warning = pinnedWarning(revision.id, era);
    return { revision, warnings: warning === undefined ? [] : [warning] };
  }
  const found = era.modern ? revision20260728 : revision20251125;
  const note = `auto-detected from server/discover: ${era.note}`;
  return {
    revision: found,
    note,
    warnings: [
      ...(era.warning === undefined ? [] : [era.warning]),
      `The revision was auto-detected as ${found.id} (server/discover: ${era.note}). Pin it with --spec-version.`,
      ...(era.dual ? [dualEra()] : []),
      ...warnings,
    ],
    adopt: process,
    killed: target.kind === "stdio" && process === undefined,
  };
}

/** What a dual-era server's author should know of the side that isn't graded. */
export const dualEra = (): string =>
  "The server is dual-era and was graded as 2026-07-28; --spec-version 2025-11-25 grades its other side.";
