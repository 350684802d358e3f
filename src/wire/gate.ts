import { lookup } from "node:dns/promises";
import { isIP } from "node:net";

/** Decides which addresses may be connected to: for whoever runs us on behalf of somebody they don't trust. */
export interface Gate {
  /** Why the address may not be connected to, in words; undefined where it may. */
  refuse(address: string): string | undefined;
  /** All addresses of a name. Default: what the system's resolver says. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

/** The error code of a connection that a gate has refused. */
export const REFUSED = "EADDRREFUSED";

/**
 * The addresses of a host that may be connected to, in order. It is asked anew for every connection, and what it gives
 * is what is connected to, so that an answer that changes in between changes nothing.
 * @throws an error with code REFUSED where one of them may not: a name with a public address beside a private one is bait.
 */
export async function admitted(host: string, gate: Gate): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await (gate.resolve ?? resolved)(host) : [host];
  if (addresses.length === 0) throw coded("ENOTFOUND", `${host} has no address`);
  for (const address of addresses) {
    const why = gate.refuse(address);
    if (why !== undefined) {
      const name = host === address ? address : `${host} (${address})`;
      throw coded(REFUSED, `${name} may not be connected to: it is ${why}`);
    }
  }
  return addresses;
}

// --- internal ---

const resolved = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);

const coded = (code: string, message: string): NodeJS.ErrnoException => Object.assign(new Error(message), { code });
