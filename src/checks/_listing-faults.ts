import { type Fault, fault } from "../model/fault.ts";

/** What the rows of the three lists bend. */
export interface Listed {
  readonly noun: "tools" | "resources" | "prompts";
  /** The row that judges the single entries. */
  readonly entries: readonly string[];
  readonly pages: string;
}

/** The ways in which a declared list can be no list. */
export function listingFaults({ noun, entries, pages }: Listed): readonly [Fault, ...Fault[]] {
  const method = `${noun}/list`;
  return [
    fault(`declares ${noun} and knows no ${method}`, (server) =>
      server.answer(method, () => ({ error: { code: -32601, message: "method not found" } })),
    ),
    fault(`lists its ${noun} as an object`, (server) => server.put(method, [noun], { first: {} })),
    fault(`leaves the ${noun} out of its ${method}`, (server) => server.drop(method, [noun])),
    fault(`answers ${method} with a bare array`, (server) =>
      server.edit(method, (result) => (Array.isArray(result[noun]) ? result[noun] : undefined)),
    ),
    fault(`lists null among its ${noun}`, (server) => server.put(method, [noun, 0], null), { alsoFails: entries }),
    fault(`lists its ${noun} by bare names`, (server) => server.put(method, [noun, 1], "second"), {
      alsoFails: entries,
    }),
    fault(
      `gives no array of ${noun} on the second page`,
      (server) =>
        server.edit(method, (result, { params }) => {
          if (params["cursor"] !== undefined) delete result[noun];
        }),
      { alsoFails: [pages] },
    ),
    fault(
      `never answers ${method}`,
      (server) => server.reply((reply, serving) => (serving.method === method ? undefined : reply)),
      { alsoFails: ["error-invalid-cursor"] },
    ),
    fault(
      `answers ${method} with an empty HTTP 500`,
      (server) => server.http((plan, { body }) => (body.includes(`"${method}"`) ? { status: 500, headers: [] } : plan)),
      { on: "http", alsoFails: ["error-invalid-cursor"] },
    ),
  ];
}
