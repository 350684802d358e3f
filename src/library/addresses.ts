import { type Reach, reachOf } from "../text/address.ts";
import { hostOf } from "../wire/connect.ts";
import { admitted, type Gate, REFUSED } from "../wire/gate.ts";

/**
 * Which addresses a run may connect to; names are resolved and checked at each connection.
 * any: all. no-metadata: all but link-local ones and the metadata services of clouds. public: only public ones.
 */
export type Addresses = "any" | "no-metadata" | "public";

/** The gate of a policy; undefined where there is nothing to decide. `resolve` takes the place of the system's resolver. */
export function gateOf(addresses: Addresses, resolve?: Gate["resolve"]): Gate | undefined {
  if (!POLICIES.includes(addresses)) {
    throw new TypeError(`addresses ${JSON.stringify(addresses)} is none of ${POLICIES.join(", ")}`);
  }
  if (addresses === "any" && resolve === undefined) return undefined;
  return {
    refuse(address) {
      const reach = reachOf(address);
      const refused = addresses === "public" ? reach !== "public" : addresses !== "any" && NEVER.includes(reach);
      return refused ? `${WORDS[reach]} address` : undefined;
    },
    ...(resolve === undefined ? {} : { resolve }),
  };
}

/**
 * Why a URL may not be tested under the policy, before anything is sent; undefined where it may, or where its name has no
 * address, which is for the run to find.
 */
export async function whyRefused(url: string, addresses: Addresses): Promise<string | undefined> {
  const gate = gateOf(addresses);
  if (gate === undefined || !URL.canParse(url)) return undefined;
  try {
    await admitted(hostOf(new URL(url)), gate);
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === REFUSED ? error.message : undefined;
  }
}

// --- internal ---

const POLICIES: readonly Addresses[] = ["any", "no-metadata", "public"];
const NEVER: readonly Reach[] = ["link-local", "metadata"];

const WORDS: Readonly<Record<Reach, string>> = {
  public: "a public",
  loopback: "a loopback",
  private: "a private",
  "link-local": "a link-local",
  metadata: "a cloud metadata",
  unspecified: "the unspecified",
  multicast: "a multicast",
  reserved: "a reserved",
};
