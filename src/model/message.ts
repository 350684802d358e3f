import { isObject } from "./json.ts";

/** A JSON object that came over the wire where a JSON-RPC message is expected. Its members are unproven. */
export interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The error member of a response, as far as it has the shape that JSON-RPC 2.0 section 5.1 demands. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export const isResponse = (message: Message): boolean => message.result !== undefined || message.error !== undefined;
export const isRequest = (message: Message): boolean => typeof message.method === "string" && message.id !== undefined;
export const isNotification = (message: Message): boolean =>
  typeof message.method === "string" && message.id === undefined;

/** The error of a response, or undefined where there is none of the right shape. */
export function rpcError(message: Message | undefined): RpcError | undefined {
  const error = message?.error;
  if (!isObject(error) || typeof error["code"] !== "number" || typeof error["message"] !== "string") return undefined;
  return { code: error["code"], message: error["message"], ...("data" in error ? { data: error["data"] } : {}) };
}

/** The result of a response, or undefined where it carries none or is an error. A null error is none: lifecycle-jsonrpc judges that. */
export const resultOf = (message: Message | undefined): unknown =>
  message === undefined || (message.error !== undefined && message.error !== null) ? undefined : message.result;
