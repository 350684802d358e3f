import type { Authorization, Challenge, Step } from "../model/diagnosis.ts";
import { type Exchange, header } from "../model/exchange.ts";
import { isObject } from "../model/json.ts";

/** What can keep a client from logging in; each is the id of a cause. */
export type AuthorizationProblem =
  | "no-challenge-no-metadata"
  | "metadata-missing"
  | "resource-mismatch"
  | "authorization-server-missing"
  | "authorization-server-unreachable"
  | "issuer-mismatch"
  | "authorization-server-incomplete";

/** A GET without anything of the user's. */
export type Ask = (url: URL) => Promise<Exchange>;

export type Document = { readonly [key: string]: unknown };

/** The steps that were taken, and the first that went wrong. */
export interface Trail {
  readonly target: URL;
  step(what: string, result: Step["result"], saw: string): void;
  trouble(id: AuthorizationProblem, saw: string): void;
  /** The JSON object at a URL, or undefined; a step either way. */
  ask(url: URL, what: string): Promise<Document | undefined>;
  end(challenges: readonly Challenge[]): Authorization;
}

export function createTrail(target: URL, get: Ask): Trail {
  const steps: Step[] = [];
  let problem: { readonly id: AuthorizationProblem; readonly saw: string } | undefined;
  const step: Trail["step"] = (what, result, saw) => void steps.push({ what, result, saw });
  return {
    target,
    step,
    trouble(id, saw) {
      problem ??= { id, saw };
    },
    async ask(url, what) {
      const exchange = await get(url);
      const status = exchange.http?.status;
      const json = exchange.received[0]?.message;
      const document = status === 200 && isObject(json) ? json : undefined;
      const gone = status === 404 || status === 405 || status === 410;
      const result = document !== undefined ? "ok" : gone ? "missing" : "wrong";
      step(what, result, `GET ${url.href}: ${document === undefined ? answerOf(exchange) : "a JSON document"}`);
      return document;
    },
    end: (challenges) => ({ challenges, steps, ...(problem === undefined ? {} : { problem }) }),
  };
}

/** A JSON value of a document, as evidence. */
export function shown(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? "nothing").slice(0, LONGEST);
  } catch {
    return "a value that is nested too deeply";
  }
}

// --- internal ---

const LONGEST = 300;

function answerOf({ http, cause, end }: Exchange): string {
  if (http === undefined) return cause ?? end;
  const to = header(http.headers, "location");
  if (to !== undefined) return `HTTP ${http.status}, a redirect to ${to} (not followed)`;
  return http.status === 200 ? "HTTP 200, but no JSON object" : `HTTP ${http.status}`;
}
