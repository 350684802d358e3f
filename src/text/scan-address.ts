/** The addresses in a text that mean nothing outside of a network: private, link-local, carrier and loopback ones. */
export function internalAddresses(text: string): readonly string[] {
  const four = [...text.matchAll(V4)].flatMap((found) => {
    const before = text.slice(Math.max(0, found.index - 16), found.index);
    return isInternalV4(found[0]) && !/(?:version|ver\.?|v|build|release)[ :="'\\]*$/i.test(before) ? [found[0]] : [];
  });
  const six = [...text.matchAll(V6)].flatMap(([found]) => (isInternalV6(found) ? [found] : []));
  return [...new Set([...four, ...six])];
}

export type Scope = "loopback" | "private" | "public";

/** Where a host of a URL lies, as far as its name or address tells. */
export function scopeOf(hostname: string): Scope {
  const host = hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
  if (mapped !== null) {
    const bits = [mapped[1] ?? "0", mapped[2] ?? "0"].map((part) => Number.parseInt(part, 16));
    return scopeOf(bits.flatMap((part) => [part >> 8, part & 255]).join("."));
  }
  if (host === "localhost" || host.endsWith(".localhost") || host === "::1" || host === "::") return "loopback";
  if (/^(?:127|0)(?:\.\d+){3}$/.test(host)) return "loopback";
  if (/^[\d.]+$/.test(host)) return isInternalV4(host) ? "private" : "public";
  if (host.includes(":")) return isInternalV6(host) ? "private" : "public";
  // A name without a dot, and those that RFC 6762 and RFC 8375 keep for local networks, is resolved at home only.
  return !host.includes(".") || /\.(?:local|internal|lan|home\.arpa|intranet|test)$/.test(host) ? "private" : "public";
}

export const isLoopbackAddress = (address: string): boolean => scopeOf(address) === "loopback";

// --- internal ---

const V4 = /(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)/g;
const V6 = /(?<![\w:.])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?![\w:])/gi;

function isInternalV4(text: string): boolean {
  const [a = 0, b = 0, c = 0, d = 0] = text.split(".").map(Number);
  if ([a, b, c, d].some((part) => part > 255)) return false;
  return (
    a === 10 ||
    a === 127 ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 168) ||
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b <= 127)
  );
}

/** ::1, fe80::/10 and fc00::/7. Only what is written with `::` or in full counts: a clock time has colons, too. */
function isInternalV6(text: string): boolean {
  if (text === "::1") return true;
  const whole = text.includes("::") || text.split(":").length === 8;
  return whole && (/^fe[89ab][0-9a-f]:/i.test(text) || /^f[cd][0-9a-f]{2}:/i.test(text));
}
