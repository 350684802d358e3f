import { lists } from "../../facts/lists.ts";
import { negotiated } from "../../facts/opening.ts";
import type { Draft } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { isObject, kindOf } from "../../model/json.ts";
import type { Complaint } from "../../model/outcome.ts";
import { resource as resourceShape } from "../../schema/shapes-content.ts";
import { misshapen } from "../_misshapen.ts";
import { noting } from "../_noting.ts";
import { bendItem, besides, called, eachListed } from "./_listed.ts";

/** A server whose resource on the second page is bent; no other check has to read it. */
const logo = (members: Draft) => bendItem("resources", "logo", (resource) => Object.assign(resource, members));

export default defineCheck({
  id: "resources-schema",
  title: "Every resource has a URI and a name",
  why: "Clients parse the uri of each resource strictly; one relative path among them can make a client reject the whole list.",
  fix: "Give each resource a uri with a scheme and without blanks (percent-encode them), and a string as name; size is a whole number of bytes.",
  snippet: ['{ "uri": "file:///notes/my%20note.md", "name": "my note.md", "mimeType": "text/markdown", "size": 120 }'],
  effect: "shared",
  needs: { list: lists.resources, negotiated },
  faults: [
    misshapen(
      "lists a resource without a uri",
      bendItem("resources", "logo", (resource) => delete resource["uri"]),
    ),
    fault("lists a resource by a relative path", logo({ uri: "docs/logo.png" })),
    fault("lists a resource by an absolute path", logo({ uri: "/srv/logo.png" })),
    fault("lists a resource by a path of Windows", logo({ uri: "C:\\notes\\logo.png" })),
    fault("lists a template of uris as a resource", logo({ uri: "assay://logos/{name}" })),
    fault("lists a resource whose uri has a space", logo({ uri: "assay://the logo" })),
    fault("lists a resource whose uri has a newline", logo({ uri: "assay://logo\n" })),
    misshapen("lists a resource whose uri is an object", logo({ uri: { href: "assay://logo" } })),
    misshapen(
      "lists a resource without a name",
      bendItem("resources", "logo", (resource) => delete resource["name"]),
    ),
    misshapen("lists a resource whose name is null", logo({ name: null })),
    misshapen("gives the size of a resource in words", logo({ size: "70 bytes" })),
    fault("gives a resource a negative size", logo({ size: -1 })),
    misshapen("gives a resource a broken size", logo({ size: 70.5 })),
    misshapen("gives a resource an array of annotations", logo({ annotations: [] })),
    misshapen(
      "addresses a resource to an audience that does not exist",
      logo({ annotations: { audience: ["model"] } }),
    ),
    misshapen("names the audience of a resource outside an array", logo({ annotations: { audience: "user" } })),
    misshapen("gives a resource a priority above 1", logo({ annotations: { priority: 5 } })),
    misshapen("gives the time of a resource as a number", logo({ annotations: { lastModified: 1_760_000_000 } })),
  ],
  async run({ list, negotiated }) {
    const outcome = eachListed("resources", list, list.items, complaint);
    return noting(outcome, list.items.flatMap(besides("resource", resourceShape, ELSEWHERE, negotiated)));
  },
});

// --- internal ---

/** Members that this row judges. */
const ELSEWHERE = { uri: "assay:x", name: "x", size: 0, annotations: {} };

function complaint(resource: unknown, index: number): Complaint {
  if (!isObject(resource)) return ["an object for each resource", kindOf(resource)];
  const { uri, name, size, annotations } = resource;
  const who = called("resource", resource, index, "uri");
  const found = resourceShape(
    { uri, name, ...("size" in resource ? { size } : {}), ...("annotations" in resource ? { annotations } : {}) },
    "",
  );
  if (found !== undefined) return [`${found.expected} at ${found.path}`, `${found.actual} for ${who}`];
  return typeof size === "number" && size < 0 ? ["a size of 0 or more", `${size} for ${who}`] : undefined;
}
