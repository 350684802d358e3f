import { type Exchange, header, mediaType } from "../model/exchange.ts";
import { at, isObject } from "../model/json.ts";
import { resultOf, rpcError } from "../model/message.ts";
import type { TargetView } from "../model/session.ts";

/** Whom an answer to server/discover shows: the modern era, the legacy one, or neither clearly. */
export interface Era {
  readonly modern: boolean;
  /** Whether the answer tells the era at all; a 5xx, a web page or a refusal of the credential does not. */
  readonly clear: boolean;
  /** What was answered, for the header and the warnings. */
  readonly note: string;
  /** What to say first of all, where the results below can't mean much. */
  readonly warning?: string;
  /** Whether the server names the other era's revision as supported, too. */
  readonly dual: boolean;
}

/** Codes that only servers of 2026-07-28 answer with (basic/index#error-codes). */
const MODERN_CODES: readonly number[] = [-32020, -32021, -32022];

/** Reads the answer to one conforming server/discover (2026-07-28, basic/versioning#detecting-the-era). */
export function eraOf(exchange: Exchange, target: TargetView): Era {
  const result = resultOf(exchange.reply);
  const error = rpcError(exchange.reply) ?? rpcError(exchange.received[0]?.message);
  const versions = at(result, "supportedVersions");
  const legacy = (note: string, clear = true): Era => ({ modern: false, clear, note, dual: false });
  if (isObject(result) && Array.isArray(versions)) {
    const listed = versions.filter((each) => typeof each === "string").slice(0, 8);
    const dual = listed.includes("2025-11-25");
    // It knows the question and says that it speaks only what came before.
    if (dual && !listed.includes("2026-07-28")) return legacy(`supportedVersions [${listed.join(", ")}], legacy`);
    return { modern: true, clear: true, note: `supportedVersions [${listed.join(", ")}]`, dual };
  }
  if (error !== undefined && MODERN_CODES.includes(error.code)) {
    return { modern: true, clear: true, note: `JSON-RPC error ${error.code}`, dual: false };
  }
  const status = exchange.http?.status;
  if (status === 401 || status === 403) return refused(exchange, target, error?.message);
  if (error !== undefined) return legacy(`JSON-RPC error ${error.code}, legacy`);
  if (exchange.end === "timeout") return legacy("no response, legacy");
  if (exchange.end === "unreachable") return legacy("unreachable", false);
  if (exchange.end === "closed") return legacy(`${exchange.cause ?? "the connection broke"}, legacy`);
  if (status === undefined) return legacy("another message, legacy");
  const page = mediaType(exchange.http) === "text/html";
  return legacy(`HTTP ${status}${page ? " with a web page" : ""}, legacy`, status >= 400 && status < 500 && !page);
}

// --- internal ---

/** A 401 or 403 without a modern error tells nothing of the era. */
function refused({ http }: Exchange, { credential }: TargetView, words: string | undefined): Era {
  const status = http?.status;
  const challenge = header(http?.headers, "www-authenticate") ?? "";
  const bearer = /^\s*bearer\b/i.test(challenge);
  const reason = /\berror\s*=\s*"?([\w-]+)/i.exec(challenge)?.[1];
  const era = { modern: false, clear: false, dual: false };
  if (!credential && (status === 401 || bearer)) {
    return {
      ...era,
      note: "authentication required -- pass --auth",
      warning: `The server wants a credential (HTTP ${status}), so its era could not be told and the results below mean nothing. Run it again with --auth.`,
    };
  }
  if (credential && (status === 401 || (bearer && reason !== undefined))) {
    return {
      ...era,
      note: "credential rejected -- check --auth",
      warning: `The server refuses the credential (HTTP ${status}${meaning(reason)}), so its era could not be told and the results below mean nothing. Check --auth.`,
    };
  }
  const quoted = words === undefined ? "" : ` It says: ${JSON.stringify(words.slice(0, 200))}.`;
  const last = credential
    ? "or the token's permissions"
    : "or, only if the server wants one, a missing credential (--auth)";
  return {
    ...era,
    note: `forbidden -- Host/Origin validation, a gateway, or ${credential ? "token permissions" : "missing credentials"}`,
    warning: `The server or something before it forbids the request (HTTP ${status}), so its era could not be told and the results below mean nothing.${quoted} Look at Host and Origin validation, a gateway, ${last}.`,
  };
}

function meaning(reason: string | undefined): string {
  if (reason === "invalid_token") return ", invalid_token: it is invalid or has expired";
  if (reason === "insufficient_scope") return ", insufficient_scope: it lacks a scope or permission";
  return reason === undefined ? "" : `, ${reason}`;
}
