import { type Channel, createChannel } from "./channel.ts";
import { type Context, reopening } from "./context.ts";

/** The common session: opened once, opened anew when its process has died. */
export interface Commons {
  channel(): Promise<Channel>;
  /** Why the very first opening failed, once it has. */
  refusal(): string | undefined;
  stderrTail(): string;
  /** How the last process ended, if it did by itself. */
  ended(): string | undefined;
  close(): Promise<void>;
}

const RESTARTS = 20;
const SILENCES = 2;

export function createCommons(context: Context): Commons {
  const all: Channel[] = [];
  let refused: string | undefined;
  let opening: Promise<Channel> | undefined;

  async function open(): Promise<Channel> {
    const channel = createChannel(context, {
      sender: "opening",
      listen: context.revision.listens,
      openingTimeout: all.length === 0 ? context.times.startup : reopening(context),
    });
    all.push(channel);
    const opened = await channel.opened();
    if (all.length === 1) refused = opened.refusal;
    return channel;
  }

  return {
    async channel() {
      const current = await opening;
      // Silence in one session may be that session's; in two it is the server's, and nobody waits a third time.
      const silent = all.filter((each) => each.givenUp() !== undefined);
      if (silent.length >= SILENCES) refused ??= silent[0]?.givenUp();
      const restart = current?.dead() !== undefined && refused === undefined && all.length <= RESTARTS;
      if (opening === undefined || restart) opening = open();
      return opening;
    },
    refusal: () => refused,
    stderrTail: () => all.map((each) => each.stderrTail()).findLast((text) => text !== "") ?? "",
    ended: () => all.at(-1)?.dead(),
    async close() {
      await Promise.all(all.map((each) => each.close()));
    },
  };
}
