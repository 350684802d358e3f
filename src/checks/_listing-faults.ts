import { type Fault, fault } from "../model/fault.ts";
import { misshapen } from "./_misshapen.ts";

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
    fault(
      `declares ${noun} and knows no ${method}`,
      (server) => server.answer(method, () => ({ error: { code: -32601, message: "method not found" } })),
      { alsoFails: HANDLERS },
    ),
    misshapen(`lists its ${noun} as an object`, (server) => server.put(method, [noun], { first: {} })),
    misshapen(`leaves the ${noun} out of its ${method}`, (server) => server.drop(method, [noun])),
    misshapen(
      `answers ${method} with a bare array`,
      (server) => server.edit(method, (result) => (Array.isArray(result[noun]) ? result[noun] : undefined)),
      { alsoFails: ["schema-result-type"] },
    ),
    misshapen(`lists null among its ${noun}`, (server) => server.put(method, [noun, 0], null), { alsoFails: entries }),
    misshapen(`lists its ${noun} by bare names`, (server) => server.put(method, [noun, 1], "second"), {
      alsoFails: entries,
    }),
    misshapen(
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
      { alsoFails: ["error-invalid-cursor", ...HANDLERS] },
    ),
    fault(
      `answers ${method} with an empty HTTP 500`,
      (server) => server.http((plan, { body }) => (body.includes(`"${method}"`) ? { status: 500, headers: [] } : plan)),
      { on: "http", alsoFails: ["error-invalid-cursor", ...HANDLERS] },
    ),
  ];
}

// --- internal ---

/** The row that holds what is declared against what is there, in the revision that has it. */
const HANDLERS = ["lifecycle-capability-handlers-match"];
