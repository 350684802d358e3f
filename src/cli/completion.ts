import { AREAS, REVISIONS } from "../model/catalog.ts";
import { revisions } from "../revisions/index.ts";
import { bashCompletion, fishCompletion, type Offer, zshCompletion } from "./_completion-scripts.ts";
import { EXIT } from "./exit.ts";
import { VERBS } from "./main.ts";
import { negated, type Option } from "./split.ts";
import { print } from "./terminal.ts";
import { nearest, UsageError } from "./usage.ts";
import type { Verb } from "./verb.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

export const completion: Verb = {
  name: "completion",
  about: "print the script that lets a shell complete verbs, options and their values",
  target: "<bash | zsh | fish>",
  operands: "plain",
  options: [],
  examples: [
    'eval "$(mcp-assay completion bash)"                                      # in ~/.bashrc',
    'mcp-assay completion zsh > "${fpath[1]}/_mcp-assay"                      # then start a new shell',
    "mcp-assay completion fish > ~/.config/fish/completions/mcp-assay.fish",
  ],
  async run({ words }) {
    const [name, ...more] = words;
    const shell = SHELLS.find((each) => each === name);
    if (shell === undefined || more.length > 0) {
      const meant = name === undefined ? undefined : nearest(name, SHELLS);
      throw new UsageError(
        `completion needs the name of a shell, ${SHELLS.join(", ")}${meant === undefined ? "" : `: did you mean ${meant}?`}`,
      );
    }
    const verbs = await Promise.all(Object.values(VERBS).map((load) => load()));
    const offers = verbs.map(
      (verb): Offer => ({ ...verb, options: verb.options.flatMap(withNegation), words: operandsOf(verb) }),
    );
    const help: Offer = {
      name: "help",
      about: "examples and options of a verb",
      options: [],
      words: verbs.map(({ name }) => name),
    };
    const write = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }[shell];
    await print(write([...offers, help], ids()));
    return EXIT.fine;
  },
};

// --- internal ---

const withNegation = (option: Option): readonly Option[] => {
  const no = negated(option);
  return no === undefined
    ? [option]
    : [option, { name: no, about: `not --${option.name}, whatever the config file says` }];
};

const operandsOf = ({ name }: Verb): readonly string[] =>
  name === "completion" ? SHELLS : name === "explain" ? ids() : [];

/** What --only and --skip take. */
const ids = (): readonly string[] => [
  ...new Set([...AREAS, ...REVISIONS.flatMap((id) => revisions[id].catalog.map((row) => row.id))]),
];
