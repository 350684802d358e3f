import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { kindOf } from "../../model/json.ts";
import { fail, pass } from "../../model/outcome.ts";

export default defineCheck({
  id: "lifecycle-discover-versions",
  title: "supportedVersions names every revision once, this one among them",
  why: "Clients look there for a revision that they speak, too; what isn't listed is not spoken.",
  fix: 'Give supportedVersions as an array of distinct strings such as ["2026-07-28"], with every revision that requests may name.',
  snippet: ['"supportedVersions": ["2026-07-28"]'],
  effect: "shared",
  needs: { opening },
  faults: [
    fault("lists no supported version", (server) => server.put("server/discover", ["supportedVersions"], [])),
    fault(
      "gives its supported version as a text",
      (server) => server.put("server/discover", ["supportedVersions"], "2026-07-28"),
      {
        alsoFails: ["lifecycle-discover", "schema-wire-valid"],
      },
    ),
    fault(
      "lists its supported versions as objects",
      (server) => server.put("server/discover", ["supportedVersions"], ["2026-07-28", { version: "2025-11-25" }]),
      { alsoFails: ["schema-wire-valid"] },
    ),
    fault("lists a supported version twice", (server) =>
      server.put("server/discover", ["supportedVersions"], ["2026-07-28", "2025-11-25", "2026-07-28"]),
    ),
    fault("lists only versions older than the one it was asked in", (server) =>
      server.put("server/discover", ["supportedVersions"], ["2025-11-25", "2025-06-18"]),
    ),
    fault("lists an empty supported version", (server) =>
      server.put("server/discover", ["supportedVersions"], ["2026-07-28", ""]),
    ),
  ],
  async run({ opening: { exchange, result, negotiated } }) {
    const versions: unknown = result["supportedVersions"];
    if (!Array.isArray(versions)) return fail("an array of version strings", kindOf(versions), exchange);
    if (versions.length === 0) return fail("at least one supported version", "an empty array", exchange);
    const odd: unknown = versions.find((each) => typeof each !== "string" || each === "");
    if (odd !== undefined)
      return fail("strings in supportedVersions", odd === "" ? "an empty one" : kindOf(odd), exchange);
    const names = versions.map(String);
    const shown = names.slice(0, 8).map((name) => name.slice(0, 40));
    const again = names.find((name, index) => names.indexOf(name) !== index);
    if (again !== undefined) return fail("each version once", `${again.slice(0, 40)} more than once`, exchange);
    if (!names.includes(negotiated))
      return fail(`${negotiated} in supportedVersions`, `only ${shown.join(", ")}`, exchange);
    const undated = names.find((name) => !/^\d{4}-\d\d-\d\d$/.test(name));
    const note = undated === undefined ? undefined : `${JSON.stringify(undated.slice(0, 40))} is no date`;
    return pass(shown.join(", "), note, exchange);
  },
});
