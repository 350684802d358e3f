import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { Machine } from "./target.ts";
import { UsageError } from "./usage.ts";

/** Refuses a command that isn't in the container image we run in, where that can't be otherwise: the plain one. */
export function refuseOutsideImage(command: string, { env }: Machine): void {
  if (env["MCP_ASSAY_IMAGE"] !== "plain") return;
  const folders = (env["PATH"] ?? "").split(delimiter);
  const places = /[\\/]/.test(command) ? [command] : folders.map((folder) => join(folder, command));
  if (places.some((place) => isAbsolute(place) && existsSync(place))) return;
  throw new UsageError(
    `${JSON.stringify(command)} is not in this image, which holds mcp-assay alone, for servers behind a URL: use the image's -node tag, which has node and npx, or COPY --from this one into an image that has the server.`,
  );
}
