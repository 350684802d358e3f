import { createChannel } from "../engine/channel.ts";
import { createContext, type Target } from "../engine/context.ts";
import type { Exchange } from "../model/exchange.ts";
import type { OpenOptions } from "../model/session.ts";
import { revisions } from "../revisions/index.ts";
import type { Bench } from "./stdio.ts";
import { SENDER } from "./talk.ts";

export type HttpTarget = Extract<Target, { kind: "http" }>;
export type HttpBench = Bench<HttpTarget>;

/** The exchange of one opening with other headers or in another place; the session that may come of it is ended. */
export async function openAt(
  bench: HttpBench,
  target: HttpTarget,
  timeout: number,
  more: Pick<OpenOptions, "protocolVersion"> = {},
): Promise<Exchange> {
  const { recorder, times } = bench;
  const context = createContext({ revision: revisions["2025-11-25"], target, recorder, times });
  const channel = createChannel(context, { sender: SENDER, openingTimeout: timeout, initialized: false, ...more });
  const { exchange } = await channel.opened();
  await channel.close();
  await Promise.all(context.farewells);
  return exchange;
}
