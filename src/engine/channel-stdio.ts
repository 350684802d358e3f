import type { Exchange } from "../model/exchange.ts";
import { isObject } from "../model/json.ts";
import type { Message } from "../model/message.ts";
import { Blocked } from "../model/outcome.ts";
import type { Opened } from "../model/session.ts";
import { type Process, startProcess } from "../wire/stdio.ts";
import { type ChannelOptions, createClient, handshake, type Posting, type Transported } from "./channel.ts";
import type { Context, Target } from "./context.ts";

/** A session over stdio: a process of its own, one message a line. */
export function openStdio(
  context: Context,
  target: Extract<Target, { kind: "stdio" }>,
  options: ChannelOptions,
): Transported {
  const { recorder, times } = context;
  let process: Process | undefined;
  /** Whether it has been asked server/discover, which clients of the older revisions never send. */
  let probed = false;
  let opening: Promise<Opened> | undefined;

  function running(): Process {
    if (process === undefined && context.adopt !== undefined) {
      const { adopt } = context;
      context.adopt = undefined;
      adopt.attach(client.hear);
      process = adopt.process;
      probed = true;
    }
    if (process === undefined && context.stopped()) throw new Blocked("the run was interrupted");
    process ??= startProcess(recorder, target.command, {
      hear: client.hear,
      ...(target.stderr === undefined ? {} : { stderr: target.stderr }),
    });
    return process;
  }

  const post = ({ sender, json, reply, timeout }: Posting): Promise<Exchange> =>
    running().send({
      sender,
      pieces: [`${JSON.stringify(json)}\n`],
      ...(isObject(json) ? { request: json as Message } : {}),
      ...(reply === undefined ? {} : { reply }),
      timeout,
    });

  async function open(): Promise<Opened> {
    const opened = await again(await handshake(context, options, post, () => {}));
    const { subscription } = context.revision;
    if (opened.refusal === undefined && options.listen === true && subscription !== undefined) {
      // Its answers come for as long as the session lasts, so none is waited for.
      const json = context.revision.stamp(
        { jsonrpc: "2.0", id: context.id(), ...subscription },
        { capabilities: options.capabilities ?? {} },
      );
      await post({ sender: "listen", json, timeout: times.request });
    }
    return opened;
  }

  /** What refuses initialize after server/discover may take it as the first message. */
  async function again(opened: Opened): Promise<Opened> {
    if (!probed || opened.refusal === undefined || opened.exchange.end !== "reply") return opened;
    await process?.close(times.grace);
    process = undefined;
    const fresh = await handshake(context, options, post, () => {});
    if (fresh.refusal === undefined) {
      context.warn(
        `${opened.refusal} in a process that had been asked server/discover first; a process of its own took it. Clients that look for 2026-07-28 first can't use this server.`,
      );
    }
    return fresh;
  }

  const client = createClient(context, options.capabilities ?? {}, post);

  return {
    opened() {
      opening ??= open();
      return opening;
    },
    post,
    http: noHttp,
    stream: noHttp,
    line: (sender, pieces, reply, timeout) =>
      running().send({ sender, pieces, ...(reply === undefined ? {} : { reply }), timeout }),
    heard: () => process?.heard() ?? [],
    dead: () => process?.ended(),
    stderrTail: () => process?.stderrTail() ?? "",
    close: async () => process?.close(times.grace),
  };
}

// --- internal ---

function noHttp(): never {
  throw new TypeError("an HTTP request can only be sent to an HTTP server");
}
