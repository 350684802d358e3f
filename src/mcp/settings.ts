import type { Addresses } from "../library/addresses.ts";

/** What whoever starts the server lets an assistant do. */
export interface McpSettings {
  /** Which addresses may be tested. */
  readonly addresses: Addresses;
  /** Command lines that may be started as they stand here, with the words of each. Empty: none. */
  readonly commands: readonly AllowedCommand[];
}

export interface AllowedCommand {
  readonly line: string;
  readonly words: readonly [command: string, ...args: string[]];
}
