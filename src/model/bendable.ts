import type { Header } from "./exchange.ts";
import type { Message } from "./message.ts";

/** A JSON object that a fault may edit in place. */
export type Draft = { [key: string]: unknown };

/** How a method is answered: a result, or a JSON-RPC error. */
export type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } };

/** What the reference server knows while it serves one message. */
export interface Serving {
  readonly message: Message;
  readonly method: string;
  readonly params: Draft;
  /** Its session: what the client declared, and a place for a fault to remember things. */
  readonly session: {
    readonly id: string;
    readonly protocolVersion: string;
    readonly capabilities: Draft;
    readonly memory: Map<string, unknown>;
  };
  /** Sends any JSON on the stream of this request (stdio: on stdout). */
  send(json: unknown): void;
  notify(method: string, params?: unknown): void;
  /** The same on the session's GET stream, where one is open. */
  broadcast(method: string, params?: unknown): void;
  /** Sends a request to the client and waits for the answer. */
  ask(method: string, params?: unknown): Promise<Message>;
  /** The text at an address, as a server gets it that fetches whatever it is told. */
  visit(url: string): Promise<string>;
  /** The whole server stops: the process exits, or the port closes and open connections break. */
  die(): void;
  /** Resolves when the client has cancelled this request. */
  readonly cancelled: Promise<void>;
}

/** What came in over HTTP. Header names are in lower case. */
export interface HttpRequestView {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The names of the headers as they were written. */
  readonly names: readonly string[];
  readonly body: string;
  /** The body parsed, where it is JSON. */
  readonly json: unknown;
}

/** What goes out over HTTP. `body` undefined with `stream` true: an SSE stream. */
export interface HttpPlan {
  status: number;
  headers: Header[];
  body?: string;
  stream?: boolean;
}

/** What the reference server enforces. Each is what the specification asks; a fault turns one off or to another value. */
export interface Rules {
  /** HTTP methods on which a foreign Origin is refused. */
  origin: readonly string[];
  originStatus: number;
  mediaType: boolean;
  batch: "refuse" | "answer" | "accept";
  /** Requests without a session id get 400. */
  session: boolean;
  /** Status for an id that was never issued or was terminated. */
  unknownSession: number;
  /** An unknown MCP-Protocol-Version header gets 400. */
  protocolHeader: boolean;
  get: boolean;
  delete: boolean;
  /** HTTP methods that need the token, where the world has one. */
  auth: readonly string[];
  /** Whether a token is needed inside a session, too. */
  authInSession: boolean;
  /** Whether `access_token` in the query string is taken. */
  queryToken: boolean;
  /** Whether a priming event opens each SSE answer. */
  priming: boolean;
  /** Whether the SSE stream ends after its response. */
  endStream: boolean;
  /** Items on a page of each list. */
  pageSize: number;
  /** Whether stdin's end ends the process. */
  exitOnEof: boolean;
  /** 2026-07-28: members of params._meta without which a request is refused. */
  meta: readonly string[];
  /** 2026-07-28: whether a request in another revision is refused. */
  versions: boolean;
  /** 2026-07-28: headers that have to be there and to agree with the body. */
  headers: readonly ("version" | "method" | "name" | "params")[];
}

/** The parts of the reference server that a fault may bend. */
export interface Bendable {
  readonly rules: Rules;
  /** Replaces how a method is answered; `undefined` answers nothing. */
  answer(method: string, how: (serving: Serving) => Answer | undefined | Promise<Answer | undefined>): void;
  /** Replaces what a tool does; what it returns is the result of tools/call. */
  tool(name: string, how: (args: Draft, serving: Serving) => unknown): void;
  /** Edits a successful result just before it is sent; a returned value replaces it. */
  edit(method: string, how: (result: Draft, serving: Serving) => unknown): void;
  /** Sets the member at `path` in each successful result of a method. */
  put(method: string, path: readonly (string | number)[], value: unknown): void;
  /** Removes it. */
  drop(method: string, path: readonly (string | number)[]): void;
  /** Edits any response just before it is sent; `undefined` withholds it. */
  reply(how: (reply: Message, serving: Serving) => unknown): void;
  /** Runs before a message of this method is served (notifications too; "*" for every one). */
  before(method: string, how: (serving: Serving) => unknown): void;
  /** Runs after its answer was sent. */
  after(method: string, how: (serving: Serving) => unknown): void;
  /** Edits the headers of an HTTP request before anything looks at them. */
  incoming(how: (headers: Record<string, string | undefined>, request: HttpRequestView) => void): void;
  /** Decides on an HTTP request before everything else. */
  gate(how: (request: HttpRequestView, die: () => void) => HttpPlan | undefined): void;
  /** Edits what goes out over HTTP; a returned plan replaces it. */
  http(how: (plan: HttpPlan, request: HttpRequestView) => HttpPlan | undefined): void;
  /** Edits each SSE block (its lines, without the blank one) before it is written. */
  sse(how: (block: string) => string): void;
  /** Edits each line that goes to stdout, newline included. */
  stdout(how: (line: string) => string | Uint8Array): void;
  /** Edits each line that came in on stdin; `undefined` ignores it. */
  stdin(how: (line: string, die: () => void) => string | undefined): void;
  /** Edits the bytes of each read of stdin, cut as they came. */
  input(how: (bytes: Uint8Array) => Uint8Array): void;
  /** Text on stdout at the start, and at the end. */
  print(when: "start" | "end", text: string): void;
}
