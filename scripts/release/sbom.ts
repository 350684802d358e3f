import { createHash } from "node:crypto";
import type { Identity } from "./identity.ts";
import type { Inside } from "./inside.ts";

/** The software bill of materials as SPDX 2.3 JSON: our package, what is bundled into it, and the runtime. */
export function sbom(who: Identity, packages: readonly Inside[]): string {
  const all = packages.map(dependency);
  const runtime = runtimePackage(who);
  const root = rootPackage(who);
  const contents = JSON.stringify([root, runtime, all]);
  return `${JSON.stringify(
    {
      spdxVersion: "SPDX-2.3",
      dataLicense: "CC0-1.0",
      SPDXID: "SPDXRef-DOCUMENT",
      name: `mcp-assay-${who.version}`,
      documentNamespace: `${who.repository}/releases/download/v${who.version}/sbom.spdx.json#${digest(contents)}`,
      creationInfo: { created: new Date(who.time * 1000).toISOString().replace(".000", ""), creators: [CREATOR] },
      documentDescribes: [root.SPDXID],
      packages: [root, runtime, ...all],
      relationships: [
        relation("SPDXRef-DOCUMENT", "DESCRIBES", root.SPDXID),
        relation(root.SPDXID, "CONTAINS", runtime.SPDXID),
        ...all.map(({ SPDXID }) => relation(root.SPDXID, "CONTAINS", SPDXID)),
      ],
    },
    null,
    2,
  )}\n`;
}

// --- internal ---

const CREATOR = "Tool: mcp-assay-release";

interface SpdxPackage {
  readonly SPDXID: string;
  readonly name: string;
  readonly versionInfo: string;
  readonly downloadLocation: string;
  readonly filesAnalyzed: false;
  readonly licenseConcluded: string;
  readonly licenseDeclared: string;
  readonly copyrightText: "NOASSERTION";
  readonly checksums?: readonly { readonly algorithm: "SHA512"; readonly checksumValue: string }[];
  readonly externalRefs?: readonly {
    readonly referenceCategory: "PACKAGE-MANAGER";
    readonly referenceType: "purl";
    readonly referenceLocator: string;
  }[];
}

function rootPackage({ version, repository, commit }: Identity): SpdxPackage {
  return spdx("mcp-assay", version, "MIT", `git+${repository}@${commit}`, `pkg:npm/mcp-assay@${version}`);
}

/** In the executables only. Its own parts are named in licences/BUN.md. */
function runtimePackage({ bun }: Identity): SpdxPackage {
  return spdx("bun", bun, "MIT AND LGPL-2.1-or-later", "NOASSERTION", `pkg:npm/bun@${bun}`);
}

function dependency({ name, version, licence, integrity }: Inside): SpdxPackage {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const checksumValue = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
  return {
    ...spdx(name, version, licence, "NOASSERTION", purl),
    checksums: [{ algorithm: "SHA512", checksumValue }],
  };
}

function spdx(name: string, version: string, licence: string, from: string, purl: string): SpdxPackage {
  return {
    SPDXID: `SPDXRef-${`${name}-${version}`.replace(/[^A-Za-z0-9.-]/g, "-")}`,
    name,
    versionInfo: version,
    downloadLocation: from,
    filesAnalyzed: false,
    licenseConcluded: "NOASSERTION",
    licenseDeclared: licence,
    copyrightText: "NOASSERTION",
    externalRefs: [{ referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: purl }],
  };
}

const relation = (spdxElementId: string, relationshipType: string, relatedSpdxElement: string) => ({
  ...{ spdxElementId, relationshipType, relatedSpdxElement },
});

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);
