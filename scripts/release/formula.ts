// The Homebrew formula of a release: bun scripts/release/formula.ts [manifest.json] > Formula/mcp-assay.rb
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { ROOT } from "../installed.ts";
import { identity } from "./identity.ts";

/** The formula in Ruby, of what `manifest.json` says of the archives. Throws if a system's archive is missing. */
export function formula(manifest: string, repository: string): string {
  const { version, targets } = v.parse(MANIFEST, manifest);
  const source = (target: string): string => {
    const found = targets[target];
    if (found === undefined) throw new Error(`manifest.json has no target ${target}`);
    const url = `${repository}/releases/download/v${version}/${found.file}`;
    return `      url "${url}"\n      sha256 "${found.sha256}"`;
  };
  return `# Made by scripts/release/formula.ts of ${repository}: change it there.
class McpAssay < Formula
  desc "Tells whether an MCP server is good: grades it against the specification"
  homepage "${repository}"
  version "${version}"
  license "MIT"

  livecheck do
    url :stable
    strategy :github_latest
  end

  on_macos do
    on_arm do
${source("darwin-arm64")}
    end
    on_intel do
${source("darwin-x64")}
    end
  end

  on_linux do
    on_arm do
${source("linux-arm64")}
    end
    on_intel do
${source("linux-x64")}
    end
  end

  # The program lies behind what strip would take for the end of the file.
  skip_clean "bin/mcp-assay"

  def install
    bin.install "mcp-assay"
    doc.install "LICENSE", "licences"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/mcp-assay --version")
    assert_match "\\"grade\\": \\"A\\"", shell_output("#{bin}/mcp-assay demo --format json")
  end
end
`;
}

if (import.meta.main) {
  const [file = join(ROOT, "dist/release/manifest.json")] = process.argv.slice(2);
  process.stdout.write(formula(readFileSync(file, "utf8"), identity().repository));
}

// --- internal ---

const MANIFEST = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({
    version: v.string(),
    targets: v.record(v.string(), v.looseObject({ file: v.string(), sha256: v.pipe(v.string(), v.length(64)) })),
  }),
);
