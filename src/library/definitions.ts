import { checks } from "../checks/index.ts";
import { type Area, REVISIONS, type RevisionId } from "../model/catalog.ts";
import type { Kind } from "../model/exchange.ts";
import { revisions } from "../revisions/index.ts";

/** One row of a revision's catalog, with what is said of its check. */
export interface TestDefinition {
  readonly id: string;
  readonly name: string;
  readonly category: Area;
  /** Whether every server must pass it. */
  readonly required: boolean;
  /** The capability (dots go down) of which a declaration makes it required, where it isn't always. */
  readonly requiredWhen?: string;
  readonly transports: readonly Kind[];
  /** The place in the specification, below `specBaseFor` of the revision. */
  readonly specRef: string;
  /** What is asked, and why. */
  readonly description: string;
  /** How a server comes to pass it. */
  readonly recommendation: string;
}

/** The revisions that a server can be judged by, oldest first. */
export const SUPPORTED_SPEC_VERSIONS: readonly RevisionId[] = REVISIONS;

/**
 * Where the specification of a revision lies; ends in a slash.
 * @throws TypeError where there is no such revision.
 */
export function specBaseFor(specVersion: RevisionId): string {
  if (!Object.hasOwn(revisions, specVersion)) {
    throw new TypeError(`${JSON.stringify(specVersion)} is none of ${REVISIONS.join(", ")}`);
  }
  return `https://modelcontextprotocol.io/specification/${specVersion}/`;
}

/** All rows of a revision's catalog, in its order: 88 of 2025-11-25 and 103 of 2026-07-28. */
export function getTestDefinitions(specVersion: RevisionId): readonly TestDefinition[] {
  const base = specBaseFor(specVersion);
  return revisions[specVersion].catalog.map(({ id, area, required, transports, section, requirement }) => {
    const check = checks.find((each) => each.id === id);
    return {
      id,
      name: check?.title ?? requirement,
      category: area,
      required: required === true,
      ...(typeof required === "boolean" ? {} : { requiredWhen: required.capability }),
      transports,
      specRef: section.startsWith(base) ? section.slice(base.length) : section,
      description: check === undefined ? requirement : `${requirement} ${check.why}`,
      recommendation: check?.fix ?? "",
    };
  });
}

/** The list of 2025-11-25. */
export const TEST_DEFINITIONS: readonly TestDefinition[] = /* @__PURE__ */ getTestDefinitions("2025-11-25");
