/** Where an IP address leads. `metadata`: the services by which clouds tell a machine its credentials. */
export type Reach =
  | "public"
  | "loopback"
  | "private"
  | "link-local"
  | "metadata"
  | "unspecified"
  | "multicast"
  | "reserved";

/**
 * Where an IPv4 or IPv6 address leads (the IANA special-purpose registries, RFC 6890), also where an IPv4 address is
 * written inside an IPv6 one. Anything that is no address is `reserved`: nobody should connect to it.
 */
export function reachOf(address: string): Reach {
  const bare = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  const four = bytesOfV4(bare);
  if (four !== undefined) return reachOfV4(four);
  const six = groupsOfV6(bare);
  return six === undefined ? "reserved" : reachOfV6(six);
}

// --- internal ---

type Range = readonly [bytes: readonly number[], bits: number, reach: Reach];

// The narrow ones first.
const RANGES: readonly Range[] = [
  [[169, 254, 169, 254], 32, "metadata"], // AWS, Azure, Google, Oracle and others
  [[169, 254, 170, 2], 32, "metadata"], // AWS ECS
  [[169, 254, 170, 23], 32, "metadata"], // AWS EKS
  [[100, 100, 100, 200], 32, "metadata"], // Alibaba
  [[192, 0, 0, 192], 32, "metadata"], // Oracle
  [[168, 63, 129, 16], 32, "metadata"], // Azure's wire server
  [[169, 254, 0, 0], 16, "link-local"],
  [[127, 0, 0, 0], 8, "loopback"],
  [[0, 0, 0, 0], 8, "unspecified"],
  [[10, 0, 0, 0], 8, "private"],
  [[100, 64, 0, 0], 10, "private"],
  [[172, 16, 0, 0], 12, "private"],
  [[192, 168, 0, 0], 16, "private"],
  [[198, 18, 0, 0], 15, "private"],
  [[192, 0, 0, 0], 24, "reserved"],
  [[192, 0, 2, 0], 24, "reserved"],
  [[192, 88, 99, 0], 24, "reserved"],
  [[198, 51, 100, 0], 24, "reserved"],
  [[203, 0, 113, 0], 24, "reserved"],
  [[224, 0, 0, 0], 4, "multicast"],
  [[240, 0, 0, 0], 4, "reserved"],
];

function reachOfV4(bytes: readonly number[]): Reach {
  const value = word(bytes);
  const found = RANGES.find(([start, bits]) => value >>> (32 - bits) === word(start) >>> (32 - bits));
  return found?.[2] ?? "public";
}

const word = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]): number => ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;

function reachOfV6(groups: readonly number[]): Reach {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  const starts = (...start: readonly number[]) => start.every((group, index) => groups[index] === group);
  const inner = (high: number, low: number) => reachOfV4([high >> 8, high & 255, low >> 8, low & 255]);
  if (starts(0, 0, 0, 0, 0, 0, 0)) return h === 0 ? "unspecified" : h === 1 ? "loopback" : inner(g, h);
  // IPv4-mapped, IPv4-compatible, IPv4-translated (SIIT), and NAT64 with its local prefix.
  if (starts(0, 0, 0, 0, 0, 0xffff) || starts(0, 0, 0, 0, 0, 0) || starts(0, 0, 0, 0, 0xffff, 0)) return inner(g, h);
  if (starts(0x64, 0xff9b, 0, 0, 0, 0)) return inner(g, h);
  if (starts(0x64, 0xff9b, 1)) return "private";
  // 6to4 and Teredo carry an IPv4 address, too; Teredo's is written upside down.
  if (a === 0x2002) return inner(b, c);
  if (starts(0x2001, 0)) return worse(inner(c, d), inner(g ^ 0xffff, h ^ 0xffff));
  if (starts(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254) || starts(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254)) return "metadata";
  if ((a & 0xfe00) === 0xfc00 || (a & 0xffc0) === 0xfec0) return "private";
  if ((a & 0xffc0) === 0xfe80) return "link-local";
  if ((a & 0xff00) === 0xff00) return "multicast";
  // ISATAP: an IPv4 address in the interface's part.
  if ((e & 0xfdff) === 0 && f === 0x5efe) return worse("public", inner(g, h));
  // Documentation, discard, and all that isn't global unicast.
  if (starts(0x2001, 0xdb8) || starts(0x3fff) || (a & 0xe000) !== 0x2000) return "reserved";
  return "public";
}

const worse = (one: Reach, other: Reach): Reach => (one === "public" ? other : one);

function bytesOfV4(text: string): readonly number[] | undefined {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return undefined;
  const bytes = text.split(".").map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

function groupsOfV6(text: string): readonly number[] | undefined {
  const tail = /:(\d{1,3}(?:\.\d{1,3}){3})$/.exec(text)?.[1];
  const four = tail === undefined ? undefined : bytesOfV4(tail);
  if (tail !== undefined && four === undefined) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = four ?? [];
  const whole =
    tail === undefined
      ? text
      : `${text.slice(0, -tail.length)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  const halves = whole.split("::");
  if (halves.length > 2) return undefined;
  const [head = [], rest = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const gap = 8 - head.length - rest.length;
  if (halves.length === 2 ? gap < 1 : gap !== 0) return undefined;
  const groups = [...head, ...Array.from({ length: gap }, () => "0"), ...rest];
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : undefined;
}
