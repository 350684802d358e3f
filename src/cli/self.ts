/** The command line that starts this program anew: the binary itself, or a runtime and our main file. */
export function selfCommand(main: string | undefined): readonly [string, ...string[]] {
  const standalone = typeof Bun !== "undefined" && /^(\/\$bunfs|[A-Z]:[/\\]~BUN)/i.test(Bun.main);
  if (standalone || main === undefined) return [process.execPath];
  return [process.execPath, main];
}
