import packageJson from "../package.json" with { type: "json" };

declare const BUILD_VERSION: string;
declare const BUILD_COMMIT: string;

/** Who we are. The build bakes version and commit in; in a checkout the version is that of package.json. */
export const tool = {
  name: "mcp-assay",
  version: typeof BUILD_VERSION === "string" ? BUILD_VERSION : packageJson.version,
  commit: typeof BUILD_COMMIT === "string" ? BUILD_COMMIT : "unknown",
} as const;

/** What we run on. */
export const environment = {
  runtime: typeof Bun === "undefined" ? `node ${process.versions.node}` : `bun ${Bun.version}`,
  os: process.platform,
  arch: process.arch,
} as const;
