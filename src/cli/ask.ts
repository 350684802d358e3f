import { createInterface } from "node:readline";
import { oneLine } from "../text/escape.ts";

/** Asks the user, on stderr. Every answer is cleared of blanks at its ends. */
export interface Asker {
  /** The answer, or what `otherwise` says for an empty one. Asks until `read` can make something of it. */
  text<T>(question: string, read: (text: string) => T | undefined, otherwise?: string): Promise<T>;
  choose<const T extends string>(question: string, choices: readonly (readonly [T, string])[]): Promise<T>;
  confirm(question: string, otherwise: boolean): Promise<boolean>;
  close(): void;
}

/** The user has had enough: Ctrl-C or the end of input. */
export class Cancelled extends Error {
  override name = "Cancelled";
}

/** `excuse` says which errors of `read` are the user's; their words are shown, and the question is asked again. */
export function createAsker(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  excuse: (error: unknown) => string | undefined,
): Asker {
  const lines = createInterface({ input, output });
  let refuse: ((reason: Error) => void) | undefined;
  let over = false;
  lines.on("SIGINT", () => lines.close());
  lines.on("close", () => {
    over = true;
    refuse?.(new Cancelled("nothing more was answered"));
  });

  const ask = (prompt: string): Promise<string> =>
    new Promise((resolve, reject) => {
      refuse = reject;
      if (over) reject(new Cancelled("nothing more can be answered"));
      else lines.question(prompt, (text) => resolve(text.trim()));
    });

  async function text<T>(question: string, read: (text: string) => T | undefined, otherwise?: string): Promise<T> {
    const shown = otherwise === undefined || otherwise === "" ? "" : ` [${otherwise}]`;
    for (;;) {
      const answer = (await ask(`${question}${shown} `)) || (otherwise ?? "");
      if (answer === "" && otherwise === undefined) continue;
      try {
        const value = read(answer);
        if (value !== undefined) return value;
        output.write(`  ${JSON.stringify(oneLine(answer, 60))} can't be used here.\n`);
      } catch (error) {
        const words = excuse(error);
        if (words === undefined) throw error;
        output.write(`  ${words}\n`);
      }
    }
  }

  return {
    text,
    async choose(question, choices) {
      output.write(`${question}\n`);
      choices.forEach(([name, hint], index) => void output.write(`  ${index + 1}  ${name} (${hint})\n`));
      return text(
        "Number or name",
        (answer) => choices.find(([name], index) => answer === name || answer === String(index + 1))?.[0],
        choices[0]?.[0],
      );
    },
    confirm: (question, otherwise) =>
      text(
        `${question} (y/n)`,
        (answer) => (/^y(es)?$/i.test(answer) ? true : /^no?$/i.test(answer) ? false : undefined),
        otherwise ? "y" : "n",
      ),
    close: () => lines.close(),
  };
}
