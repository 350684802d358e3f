import * as v from "valibot";
import { negotiated, opening } from "../../facts/opening.ts";
import type { Bendable } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at, isObject } from "../../model/json.ts";
import { fail, pass } from "../../model/outcome.ts";
import { isUri } from "../../schema/forms.ts";
import { arr, enumOf, obj, str } from "../../schema/shape.ts";
import { inOpening } from "../_bends.ts";

const icon = obj({ src: str }, { mimeType: str, sizes: arr(str), theme: enumOf("light", "dark") });
const named = { name: str, version: str };
const titled = obj(named, { title: str });
const described = obj(named, { title: str, description: str, websiteUrl: str, icons: arr(icon) });

const ALSO = { alsoFails: ["schema-wire-valid"] };

export default defineCheck({
  id: "lifecycle-server-info",
  title: "The server tells its name and version",
  why: "Clients show the name and put the version into their logs and bug reports; strict ones refuse a server without them.",
  fix: "Give serverInfo a name and a version, both strings; title, description, websiteUrl and icons may stand beside them.",
  snippet: ['"serverInfo": { "name": "notes", "version": "1.4.2", "title": "Notes" }'],
  effect: "shared",
  needs: { opening, negotiated },
  params: v.object({ path: v.array(v.string()) }),
  faults: [
    fault("leaves serverInfo out", inInfo([], undefined), {
      alsoFails: ["lifecycle-init"],
    }),
    fault("has no name", inInfo(["name"], undefined), ALSO),
    fault("has no version", inInfo(["version"], undefined), ALSO),
    fault("gives its version as a number", inInfo(["version"], 1.5), ALSO),
    fault("gives its serverInfo as text", inInfo([], "reference 1.0.0"), ALSO),
    fault("gives its title as an object", inInfo(["title"], { en: "Reference" }), ALSO),
    fault("gives one icon in the place of a list", inInfo(["icons"], { src: "https://example.com/icon.png" }), ALSO),
    fault("gives an icon without its src", inInfo(["icons"], [{ mimeType: "image/png" }]), ALSO),
    fault("gives its websiteUrl as null", inInfo(["websiteUrl"], null), ALSO),
    fault(
      "names itself beside _meta",
      (server) => {
        inInfo([], undefined)(server);
        inOpening(["serverInfo"], { name: "reference", version: "1.0.0" })(server);
      },
      { only: "2026-07-28" },
    ),
  ],
  async run({ opening: { exchange, result }, negotiated }, { params }) {
    const info = at(result, ...params.path);
    // What a revision does not know yet may be anything there.
    const shape = negotiated >= "2025-11-25" ? described : negotiated >= "2025-06-18" ? titled : obj(named);
    const found = shape(info, "/serverInfo");
    if (found !== undefined) return fail(`${found.expected} at ${found.path}`, found.actual, exchange);
    const icons = at(info, "icons");
    const links = [at(info, "websiteUrl"), ...(Array.isArray(icons) ? icons.map((each) => at(each, "src")) : [])];
    const odd = links.find((link) => typeof link === "string" && !isUri(link));
    const note = odd === undefined ? undefined : `${JSON.stringify(String(odd).slice(0, 60))} is no URI`;
    const name = isObject(info) ? `${String(info["name"])} ${String(info["version"])}` : "";
    return pass(name.slice(0, 120), note, exchange);
  },
});

// --- internal ---

/** Sets a member where a revision has the server name itself; undefined removes it. */
function inInfo(path: readonly string[], value: unknown): (server: Bendable) => void {
  return (server) => {
    server.put("initialize", ["serverInfo", ...path], value);
    server.put("server/discover", ["_meta", "io.modelcontextprotocol/serverInfo", ...path], value);
  };
}
