/** The first stack frame in a text, as it stands there, or undefined. HTML and JSON escapes around it don't hide it. */
export function stackFrame(text: string): string | undefined {
  for (const plain of [text, unwrapped(text)]) {
    for (const pattern of FRAMES) {
      const found = pattern.exec(plain)?.[0];
      if (found !== undefined) return found.trim();
    }
  }
  return undefined;
}

/** Absolute paths of the server's own files in a text; URLs are none. */
export function internalPaths(text: string): readonly string[] {
  return [...text.matchAll(PATHS)].map(([found]) => found.replace(/[.:]+$/, ""));
}

// --- internal ---

// Each wants a place (file and line) or a sentence that only a runtime prints, so that prose about errors stays out.
const FRAMES: readonly RegExp[] = [
  // JavaScript: at f (file:1:2), at file:1:2, at f (<anonymous>)
  /(?:^|\n)[ \t]*at (?:async )?(?:[\w$.<>[\] ]{1,120} \()?(?:[^\s()]{1,300}:\d+:\d+|<anonymous>|native|index \d+)\)?(?=\s|$)/,
  // The same where the lines were joined to one; the absolute path keeps prose out.
  / at (?:async )?[\w$.<>[\] ]{1,120} \((?:file:\/\/|node:|\/|[A-Z]:\\)[^\s()]{1,300}:\d+:\d+\)/,
  // Python
  /Traceback \(most recent call last\)/,
  /(?:^|\n)[ \t]*File "[^"\n]{1,300}", line \d+/,
  // Java, Kotlin, Scala
  /(?:^|\n)[ \t]*at [\w$./@]{1,200}(?:<init>)?\([\w$]{1,100}\.(?:java|kt|scala|groovy):\d+\)/,
  /(?:^|\n)[ \t]*at [\w$./@]{1,200}\((?:Native Method|Unknown Source)\)/,
  // .NET
  /(?:^|\n)[ \t]*at [\w.`<>[\]+]{1,200}\([^()\n]{0,300}\) in [^\n]{1,300}:line \d+/,
  // Go
  /goroutine \d+ \[[a-z ]{1,40}\]:/,
  /(?:^|\n)[ \t]*[^\s]{1,300}\.go:\d+ \+0x[0-9a-f]+/,
  // Rust
  /thread '[^'\n]{1,100}'(?: \(\d+\))? panicked at [^\n]{1,300}:\d+/,
  /(?:^|\n)stack backtrace:\s*\n/,
  // Ruby
  /(?:^|\n)[ \t]*(?:from )?[^\s:]{1,300}\.rb:\d+:in [`'][^'\n]{1,100}'/,
  // PHP
  /(?:^|\n)#\d+ [^\s()]{1,300}\.php\(\d+\): /,
  // Elixir
  /(?:^|\n)[ \t]*\([\w]{1,40} [\d.]{1,20}\) [^\s:]{1,200}\.exs?:\d+: /,
];

const PATHS =
  /(?<![\w:/.~-])(?:\/(?:home|Users|root|usr|opt|srv|app|var\/(?:www|task|lib)|workspace|build|mnt)\/[\w.@/-]{2,200}|[A-Z]:\\(?:[\w .@-]{1,80}\\){1,20}[\w.@-]{1,80})/g;

const ENTITIES: Readonly<Record<string, string>> = {
  "&nbsp;": " ",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&#x27;": "'",
  "&amp;": "&",
};

/** HTML and JSON inside of strings undone, as far as they change lines, blanks and quotes. */
const unwrapped = (text: string): string =>
  text
    .replace(/<br\s*\/?>/gi, "\n")
    .replace(/&(?:nbsp|lt|gt|quot|amp|#39|#x27);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\\r?\\n|\\n/g, "\n")
    .replace(/\\t/g, "\t")
    .replace(/\\"/g, '"');
