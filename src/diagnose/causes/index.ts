import type { Cause } from "../cause.ts";
import type { HttpEvidence, StdioEvidence } from "../evidence.ts";
import { answerCauses } from "./answer.ts";
import { byteCauses } from "./byte.ts";
import { commandCauses } from "./command.ts";
import { exitCauses } from "./exit.ts";
import { gatewayCauses } from "./gateway.ts";
import { listCauses } from "./lists.ts";
import { browserTroubles, lockedCauses } from "./locked.ts";
import { networkCauses } from "./network.ts";
import { openingCauses, otherOpeningCauses } from "./opening.ts";
import { placeCauses } from "./place.ts";
import { redirectCauses } from "./redirect.ts";
import { silenceCauses } from "./silence.ts";
import { laterStdoutCauses, stdoutCauses } from "./stdout.ts";
import { tlsCauses } from "./tls.ts";
import { clientTroubles, openingTroubles } from "./trouble.ts";
import { variationTroubles } from "./variation.ts";

/** All causes of a server that is started, in the order in which they are asked. The first that fits is the headline. */
export const stdioCauses: readonly Cause<StdioEvidence>[] = [
  ...commandCauses,
  ...exitCauses,
  ...stdoutCauses,
  ...silenceCauses,
  ...openingCauses,
  ...otherOpeningCauses,
  ...listCauses,
  ...laterStdoutCauses,
  ...openingTroubles,
  ...clientTroubles,
];

/** All causes of a server behind a URL. */
export const httpCauses: readonly Cause<HttpEvidence>[] = [
  ...networkCauses,
  ...tlsCauses,
  ...byteCauses,
  ...redirectCauses,
  ...lockedCauses,
  ...openingCauses,
  ...placeCauses,
  ...gatewayCauses,
  ...answerCauses,
  ...otherOpeningCauses,
  ...listCauses,
  ...openingTroubles,
  ...variationTroubles,
  ...browserTroubles,
  ...clientTroubles,
];
