import { type Channel, createChannel } from "../engine/channel.ts";
import type { Context } from "../engine/context.ts";
import { createView } from "../engine/view.ts";
import { type Walk, walk } from "../facts/lists.ts";
import type { Exchange, Received } from "../model/exchange.ts";
import { at, isObject } from "../model/json.ts";
import { resultOf } from "../model/message.ts";
import type { Closing } from "../model/session.ts";
import type { Talk } from "./evidence.ts";

/** The sender of all that a diagnosis sends. */
export const SENDER = "diagnose";

/**
 * Opens a session as the context's revision does and walks through what is declared. `further` may use the open
 * channel before it is closed. Never throws for what the server did.
 */
export async function talkTo(
  context: Context,
  openingTimeout: number,
  further: (channel: Channel) => Promise<void> = async () => {},
): Promise<{ readonly talk: Talk; readonly closing: Closing | undefined }> {
  const { revision, times } = context;
  const channel = createChannel(context, { sender: SENDER, openingTimeout });
  const opened = await channel.opened();
  const walks: Walk[] = [];
  const unfinished: string[] = [];
  let control: Exchange | undefined;
  let templates: Exchange | undefined;
  if (opened.refusal === undefined) {
    control = await channel.post({
      sender: SENDER,
      json: channel.stamp({ jsonrpc: "2.0", id: "1", method: revision.control }),
      reply: { id: "1" },
      timeout: times.request,
    });
    const { server } = createView(context, { sender: SENDER, effect: "shared", channel });
    const end = context.recorder.now() + times.startup;
    for (const { method, key } of listsOf(opened.exchange)) {
      const left = end - context.recorder.now();
      const walked = left <= 0 ? undefined : await within(left, walk(server, method, key));
      if (walked === undefined) {
        unfinished.push(method);
        break;
      }
      walks.push(walked);
      // Whoever is silent or gone is not asked for the next.
      if (["timeout", "closed"].includes(walked.pages.at(-1)?.exchange.end ?? "")) break;
    }
    if (walks.every(({ end }) => end === "end")) {
      if (walks.some(({ method }) => method === "resources/list")) {
        templates = await server.send("resources/templates/list");
      }
      await further(channel);
    }
  }
  const stray = [...channel.heard()];
  const closing = await channel.close();
  await Promise.all(context.farewells);
  const said = [opened.exchange, opened.initialized, control].flatMap((each) => each?.received ?? []);
  return {
    talk: {
      revision: revision.id,
      opened,
      heard: [...said, ...stray].some(isMessage),
      stray,
      ...(control === undefined ? {} : { control }),
      ...(templates === undefined ? {} : { templates }),
      walks,
      unfinished,
    },
    closing,
  };
}

/** Whether a thing that came is a JSON-RPC message. */
export const isMessage = ({ message }: Received): boolean => message?.jsonrpc !== undefined;

// --- internal ---

const LISTS = [
  { capability: "tools", method: "tools/list", key: "tools" },
  { capability: "resources", method: "resources/list", key: "resources" },
  { capability: "prompts", method: "prompts/list", key: "prompts" },
] as const;

function listsOf({ reply }: Exchange): readonly (typeof LISTS)[number][] {
  const declared = at(resultOf(reply), "capabilities");
  return isObject(declared) ? LISTS.filter(({ capability }) => declared[capability] !== undefined) : [];
}

/** The value, or undefined once that many milliseconds have passed. */
async function within<T>(ms: number, value: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  const first = await Promise.race([value, late]);
  clearTimeout(timer);
  return first;
}
