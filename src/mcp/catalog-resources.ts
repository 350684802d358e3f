import { type McpServer, ResourceNotFoundError, ResourceTemplate } from "@modelcontextprotocol/server";
import { getTestDefinitions } from "../library/definitions.ts";
import { REVISIONS, type RevisionId } from "../model/catalog.ts";
import { checkOf, explain } from "./explain-tool.ts";

/** The catalogs as resources, one for each revision, and each check by a template that completes. */
export function registerCatalogs(server: McpServer): void {
  for (const revision of REVISIONS) {
    server.registerResource(
      `catalog-${revision}`,
      `assay://catalog/${revision}`,
      {
        title: `Catalog of ${revision}`,
        description: `all checks of ${revision}: id, name, category, required, transports, section, description and recommendation`,
        mimeType: "application/json",
        cacheHint: CACHE,
      },
      (uri) => ({
        contents: [
          { uri: uri.href, mimeType: "application/json", text: JSON.stringify(getTestDefinitions(revision), null, 2) },
        ],
      }),
    );
  }
  server.registerResource(
    "check",
    new ResourceTemplate("assay://catalog/{revision}/{id}", {
      list: undefined,
      complete: {
        revision: (value) => REVISIONS.filter((each) => each.startsWith(value)),
        id: (value, context) =>
          idsOf(context?.arguments?.["revision"])
            .filter((each) => each.includes(value))
            .slice(0, 100),
      },
    }),
    {
      title: "A check",
      description: "what a check asks, why, how to pass it, and which faults prove it",
      mimeType: "text/plain",
      cacheHint: CACHE,
    },
    (uri, { revision, id }) => {
      const known = REVISIONS.find((each) => each === revision);
      const found = known === undefined ? undefined : checkOf(String(id), known);
      if (found === undefined) throw new ResourceNotFoundError(uri.href);
      return { contents: [{ uri: uri.href, mimeType: "text/plain", text: explain(found) }] };
    },
  );
}

// --- internal ---

/** They change with the version of this program only. */
const CACHE = { ttlMs: 3_600_000, cacheScope: "public" } as const;

function idsOf(revision: string | undefined): readonly string[] {
  const wanted: readonly RevisionId[] = REVISIONS.filter((each) => revision === undefined || each === revision);
  return [...new Set(wanted.flatMap((each) => getTestDefinitions(each).map(({ id }) => id)))];
}
