import { any, by, enumOf, has, id, idOrNull, int, type Members, obj, type Shape, str } from "./shape.ts";
import { TABLE as TABLE_2025_11_25 } from "./shapes-2025-11-25.ts";
import { TABLE as TABLE_2026_07_28 } from "./shapes-2026-07-28.ts";
import { meta, object } from "./shapes-content.ts";

/** What a revision says of the messages that a server sends, by method. */
export interface Table {
  /** Results of the client's requests. */
  readonly results: Members;
  /** Params of the server's requests; from 2026-07-28 on, of what an input_required result asks. */
  readonly requests: Members;
  /** Params of the server's notifications. */
  readonly notifications: Members;
  /** Data of errors, by code. */
  readonly errors?: Members;
  /** The result of whatever method, where it has more than `_meta`. */
  readonly anyResult?: Shape;
}

/** The shapes of one revision. `undefined`: a method that no server of this revision is to use. */
export interface Shapes {
  /** Of the result of a client's request. */
  result(method: string): Shape | undefined;
  /** Of the params of a server's request; they are `undefined` where none were sent. */
  request(method: string): Shape | undefined;
  /** Of the params of a server's notification, likewise. */
  notification(method: string): Shape | undefined;
  /** Of the data of an error; they are `undefined` where none were sent. */
  error(code: number): Shape | undefined;
  /** Of a whole message, whatever its method. */
  readonly envelope: Shape;
}

/** A revision without a table of its own is judged by 2025-11-25, which only adds to the older ones. */
export function shapesOf(revision: string): Shapes {
  const table = TABLES.get(revision) ?? TABLE_2025_11_25;
  const find = (members: Members) => (method: string) => (Object.hasOwn(members, method) ? members[method] : undefined);
  return {
    result: find(table.results),
    request: find(table.requests),
    notification: find(table.notifications),
    error: (code) => find(table.errors ?? {})(String(code)),
    envelope: envelopeOf(table.anyResult ?? obj({}, meta)),
  };
}

const TABLES: ReadonlyMap<string, Table> = new Map([
  ["2025-11-25", TABLE_2025_11_25],
  ["2026-07-28", TABLE_2026_07_28],
]);

const jsonrpc = enumOf("2.0");
const notification = obj({ jsonrpc, method: str }, { params: object });
const request = obj({ jsonrpc, id, method: str }, { params: object });
// Where the id of the request could not be read, the revision leaves it out and JSON-RPC 2.0 says null.
const error = obj({ jsonrpc, error: obj({ code: int, message: str }, { data: any }) }, { id: idOrNull });
const torn: Shape = (_, path) => ({ path, expected: "a result or an error", actual: "a result and an error" });

function envelopeOf(anyResult: Shape): Shape {
  const result = obj({ jsonrpc, id, result: anyResult });
  return by((value) => {
    if (has(value, "method")) return has(value, "id") ? request : notification;
    if (has(value, "error")) return has(value, "result") ? torn : error;
    return result;
  });
}
