import type { Option } from "./split.ts";

/** What can follow `mcp-assay`. */
export interface Offer {
  readonly name: string;
  readonly about: string;
  readonly options: readonly Option[];
  /** Words that may follow, where it isn't files. */
  readonly words: readonly string[];
}

/** For bash 3.2 and later, without the bash-completion package. */
export function bashCompletion(offers: readonly Offer[], ids: readonly string[]): string {
  const cases = offers.flatMap(({ name, options, words }) => [
    `    ${name})`,
    ...valueCases(options, {
      words: (list) => `COMPREPLY=( $(compgen -W "${list.join(" ")}" -- "$cur") ); return`,
      // What stands before the last comma is kept.
      ids: 'COMPREPLY=( $(compgen -P "${cur%"${cur##*,}"}" -W "$ids" -- "${cur##*,}") ); return',
      file: 'COMPREPLY=( $(compgen -f -- "$cur") ); return',
      folder: 'COMPREPLY=( $(compgen -d -- "$cur") ); return',
      free: "return",
    }),
    `      options="${options
      .map((option) => `--${option.name}`)
      .concat("--help")
      .join(" ")}"`,
    `      words="${words.join(" ")}" ;;`,
  ]);
  return [
    "# Completion of mcp-assay for bash.",
    "_mcp_assay() {",
    '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" options="" words="" word',
    `  local ids="${ids.join(" ")}"`,
    "  COMPREPLY=()",
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=( $(compgen -W "${[...offers.map(({ name }) => name), "--help", "--version"].join(" ")}" -- "$cur") )`,
    "    return",
    "  fi",
    "  # What follows -- is the server's.",
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [ "$word" = "--" ] && return; done',
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    "  esac",
    '  case "$cur" in',
    '    -*) COMPREPLY=( $(compgen -W "$options" -- "$cur") ) ;;',
    '    *) COMPREPLY=( $(compgen -W "$words" -- "$cur") ) ;;',
    "  esac",
    "}",
    "complete -o default -F _mcp_assay mcp-assay",
    "",
  ].join("\n");
}

export function zshCompletion(offers: readonly Offer[], ids: readonly string[]): string {
  const described = (name: string, about: string) => quoted(`${name.replaceAll(":", "\\:")}:${about}`);
  const cases = offers.flatMap(({ name, options, words }) => [
    `    ${name})`,
    ...valueCases(options, {
      words: (list) => `compadd -- ${list.join(" ")}; return`,
      ids: "compset -P '*,'; compadd -a ids; return",
      file: "_files; return",
      folder: "_files -/; return",
      free: "return",
    }),
    `      options=(${options.map((option) => described(`--${option.name}`, option.about)).join(" ")})`,
    `      operands=(${words.join(" ")}) ;;`,
  ]);
  return [
    "#compdef mcp-assay",
    "# Completion of mcp-assay for zsh.",
    "_mcp-assay() {",
    "  local -a verbs options operands ids",
    "  local cur=$words[CURRENT] prev=$words[CURRENT-1]",
    `  ids=(${ids.join(" ")})`,
    "  if (( CURRENT == 2 )); then",
    `    verbs=(${offers.map(({ name, about }) => described(name, about)).join(" ")})`,
    "    _describe verb verbs",
    "    return",
    "  fi",
    "  # What follows -- is the server's.",
    "  if (( ${words[(I)--]} && ${words[(I)--]} < CURRENT )); then _files; return; fi",
    "  case $words[2] in",
    ...cases,
    "  esac",
    "  if [[ $cur == -* ]]; then _describe option options",
    "  elif (( $#operands )); then compadd -a operands",
    "  else _files; fi",
    "}",
    'if [[ "$funcstack[1]" == "_mcp-assay" ]]; then _mcp-assay "$@"; else compdef _mcp-assay mcp-assay; fi',
    "",
  ].join("\n");
}

export function fishCompletion(offers: readonly Offer[], ids: readonly string[]): string {
  const valued = ({ value, words }: Option): string => {
    if (value === undefined) return "";
    if (words === "file") return " -r -F";
    if (words === "folder") return " -x -a '(__fish_complete_directories)'";
    if (words === "ids") return ` -x -a '${ids.join(" ")}'`;
    return words === undefined ? " -x" : ` -x -a '${words.join(" ")}'`;
  };
  return [
    "# Completion of mcp-assay for fish.",
    ...offers.flatMap(({ name, about, options, words }) => {
      const here = `complete -c mcp-assay -n '__fish_seen_subcommand_from ${name}'`;
      return [
        `complete -c mcp-assay -n __fish_use_subcommand -f -a ${name} -d ${quoted(about)}`,
        ...(words.length === 0 ? [] : [`${here} -f -a '${words.join(" ")}'`]),
        ...options.map((option) => {
          const short = option.short === undefined ? "" : ` -s ${option.short}`;
          return `${here} -l ${option.name}${short}${valued(option)} -d ${quoted(option.about)}`;
        }),
      ];
    }),
    "",
  ].join("\n");
}

// --- internal ---

interface Answers {
  readonly words: (list: readonly string[]) => string;
  readonly ids: string;
  readonly file: string;
  readonly folder: string;
  /** Nothing to offer: the value is the user's own. */
  readonly free: string;
}

/** A `case` on the word before, for options that take a value. */
function valueCases(options: readonly Option[], answers: Answers): readonly string[] {
  const lines = options.flatMap((option) => {
    const { name, short, value, words } = option;
    if (value === undefined) return [];
    const answer =
      words === undefined ? answers.free : typeof words === "string" ? answers[words] : answers.words(words);
    return [`        --${name}${short === undefined ? "" : `|-${short}`}) ${answer} ;;`];
  });
  return lines.length === 0 ? [] : ['      case "$prev" in', ...lines, "      esac"];
}

/** One word of bash, zsh and fish alike: a quote ends the quotes, stands escaped, and opens them again. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
