import type { Bendable, Draft, HttpPlan, HttpRequestView, Rules, Serving } from "../model/bendable.ts";
import { isObject } from "../model/json.ts";
import type { Message } from "../model/message.ts";
import type { Handler } from "./answers.ts";
import type { ToolHandler } from "./tools.ts";

/** Everything that faults have asked to be done differently. */
export interface Bends {
  readonly edits: Map<string, ((result: Draft, serving: Serving) => unknown)[]>;
  readonly replies: ((reply: Message, serving: Serving) => unknown)[];
  readonly before: Map<string, ((serving: Serving) => unknown)[]>;
  readonly after: Map<string, ((serving: Serving) => unknown)[]>;
  readonly incoming: ((headers: Record<string, string | undefined>, request: HttpRequestView) => void)[];
  readonly gates: ((request: HttpRequestView, die: () => void) => HttpPlan | undefined)[];
  readonly plans: ((plan: HttpPlan, request: HttpRequestView) => HttpPlan | undefined)[];
  readonly blocks: ((block: string) => string)[];
  readonly stdout: ((line: string) => string | Uint8Array)[];
  readonly stdin: ((line: string, die: () => void) => string | undefined)[];
  readonly input: ((bytes: Uint8Array) => Uint8Array)[];
  readonly prints: { start: string; end: string };
}

export const createBends = (): Bends => ({
  edits: new Map(),
  replies: [],
  before: new Map(),
  after: new Map(),
  incoming: [],
  gates: [],
  plans: [],
  blocks: [],
  stdout: [],
  stdin: [],
  input: [],
  prints: { start: "", end: "" },
});

/** The handle that a fault is given. */
export function bendable(
  rules: Rules,
  answers: Map<string, Handler>,
  bent: Set<string>,
  handlers: Map<string, ToolHandler>,
  bends: Bends,
): Bendable {
  const edit: Bendable["edit"] = (method, how) => add(bends.edits, method, how);
  return {
    rules,
    answer(method, how) {
      answers.set(method, how);
      bent.add(method);
    },
    tool: (name, how) => void handlers.set(name, how),
    edit,
    put: (method, path, value) => edit(method, (result) => set(result, path, value)),
    drop: (method, path) => edit(method, (result) => set(result, path, undefined)),
    reply: (how) => void bends.replies.push(how),
    before: (method, how) => add(bends.before, method, how),
    after: (method, how) => add(bends.after, method, how),
    incoming: (how) => void bends.incoming.push(how),
    gate: (how) => void bends.gates.push(how),
    http: (how) => void bends.plans.push(how),
    sse: (how) => void bends.blocks.push(how),
    stdout: (how) => void bends.stdout.push(how),
    stdin: (how) => void bends.stdin.push(how),
    input: (how) => void bends.input.push(how),
    print: (when, text) => {
      bends.prints[when] += text;
    },
  };
}

// --- internal ---

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}

/** Sets (undefined: removes) the member at the path, where the way there exists. */
function set(result: Draft, path: readonly (string | number)[], value: unknown): void {
  const last = path.at(-1);
  let here: unknown = result;
  for (const step of path.slice(0, -1)) {
    if (Array.isArray(here) && typeof step === "number") here = here[step];
    else if (isObject(here) && typeof step === "string") here = here[step];
    else return;
  }
  if (Array.isArray(here) && typeof last === "number") {
    if (value === undefined) here.splice(last, 1);
    else here[last] = value;
  } else if (isDraft(here) && typeof last === "string") {
    if (value === undefined) delete here[last];
    else here[last] = value;
  }
}

const isDraft = (value: unknown): value is Draft => isObject(value);
