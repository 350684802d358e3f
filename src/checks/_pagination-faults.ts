import type { Bendable, Serving } from "../model/bendable.ts";
import { type Fault, fault } from "../model/fault.ts";
import { misshapen } from "./_misshapen.ts";

type Noun = "tools" | "resources" | "prompts";

const CURSORS = ["error-invalid-cursor"];

/** The ways in which the pages of a list go wrong. The reference server has several pages of each. */
export function pagingFaults(noun: Noun): readonly [Fault, ...Fault[]] {
  const method = `${noun}/list`;
  const asked = ({ params }: Serving): boolean => params["cursor"] !== undefined;
  const ignoring = (server: Bendable) => server.before(method, forget);
  return [
    misshapen(`ends its ${noun} with nextCursor null`, (server) =>
      server.edit(method, (result) => {
        result["nextCursor"] ??= null;
      }),
    ),
    misshapen(`gives its ${noun} a number for a nextCursor`, (server) =>
      server.edit(method, (result) => {
        if (result["nextCursor"] !== undefined) result["nextCursor"] = 3;
      }),
    ),
    fault(
      `lists all its ${noun} and one cursor, always`,
      (server) => {
        server.rules.pageSize = 100;
        ignoring(server);
        server.put(method, ["nextCursor"], "8");
      },
      { alsoFails: CURSORS },
    ),
    fault(`ignores the cursor of its ${noun}`, ignoring, { alsoFails: CURSORS }),
    fault(
      `gives its first ${noun} for ever with new cursors`,
      (server) => {
        let turn = 0;
        ignoring(server);
        server.edit(method, (result) => {
          result["nextCursor"] = `page-${++turn}`;
        });
      },
      { alsoFails: CURSORS },
    ),
    fault(
      `gives empty pages of ${noun} for ever`,
      (server) => {
        let turn = 0;
        let later = false;
        server.before(method, (serving) => {
          later = asked(serving);
          forget(serving);
        });
        server.edit(method, (result) => {
          if (later) result[noun] = [];
          result["nextCursor"] = `page-${++turn}`;
        });
      },
      { alsoFails: CURSORS },
    ),
    fault(
      `refuses its own cursor for ${noun}`,
      (server) =>
        server.reply((reply, serving) =>
          serving.method === method && asked(serving) ? { ...error(reply.id), jsonrpc: "2.0" } : reply,
        ),
      { alsoFails: [`${noun}-list`] },
    ),
    fault(
      `never answers the second page of its ${noun}`,
      (server) => server.reply((reply, serving) => (serving.method === method && asked(serving) ? undefined : reply)),
      { alsoFails: [`${noun}-list`, ...CURSORS] },
    ),
    fault(`lists one of its ${noun} on two pages`, (server) => {
      let first: unknown;
      server.edit(method, (result, serving) => {
        const items = result[noun];
        if (!Array.isArray(items)) return;
        if (asked(serving)) items.push(first);
        else first = items[0];
      });
    }),
    fault(
      `takes each cursor of its ${noun} once`,
      (server) => {
        const memory = remembering();
        server.reply((reply, serving) => {
          const key = `${method} ${String(serving.params["cursor"])}`;
          if (serving.method !== method || !asked(serving)) return reply;
          if (memory(serving).has(key)) return { ...error(reply.id), jsonrpc: "2.0" };
          memory(serving).set(key, true);
          return reply;
        });
      },
      { alsoFails: [`${noun}-list`] },
    ),
    fault(
      `gives another page of its ${noun} every other time`,
      (server) => {
        const memory = remembering();
        let first: unknown;
        server.edit(method, (result, serving) => {
          const key = `${method} ${String(serving.params["cursor"])} turn`;
          const turn = Number(memory(serving).get(key) ?? 0);
          memory(serving).set(key, turn + 1);
          if (!asked(serving)) first = result[noun];
          else if (turn % 2 === 1) result[noun] = first;
        });
      },
      { alsoFails: noun === "tools" ? ["security-tool-rug-pull"] : [] },
    ),
  ];
}

// --- internal ---

/** What a server remembers of a client; of all together where there are no sessions. */
function remembering(): (serving: Serving) => Map<string, unknown> {
  const whole = new Map<string, unknown>();
  return ({ session }) => (session.id === "none" ? whole : session.memory);
}

function forget(serving: Serving): void {
  delete serving.params["cursor"];
}

const error = (id: unknown) => ({ id, error: { code: -32602, message: "unknown cursor" } });
