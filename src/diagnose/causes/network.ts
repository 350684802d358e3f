import type { Cause } from "../cause.ts";
import type { Connected, HttpEvidence } from "../evidence.ts";

const trouble = ({ connections }: HttpEvidence): Connected["trouble"] => connections.at(-1)?.trouble;
const code = (e: HttpEvidence): string => trouble(e)?.code ?? "";
const portOf = ({ url }: HttpEvidence): string => url.port || (url.protocol === "https:" ? "443" : "80");

/** No connection comes about. */
export const networkCauses: readonly Cause<HttpEvidence>[] = [
  {
    id: "proxy-refuses",
    at: ["tcp"],
    mend: "407 wants a user and password in the proxy's URL; 403 forbids the place; 502, 503 and 504 mean that the proxy does not reach it. Or leave --proxy out.",
    recognise: (e) =>
      trouble(e)?.at === "proxy" && code(e) === "EPROXY"
        ? `The proxy does not let us through: ${trouble(e)?.message}`
        : undefined,
  },
  {
    id: "proxy-unreachable",
    at: ["tcp"],
    mend: "Check --proxy, or leave it out.",
    recognise: (e) =>
      trouble(e)?.at === "proxy" ? `The proxy ${e.proxy ?? ""} can't be reached: ${trouble(e)?.message}` : undefined,
  },
  {
    id: "name-not-found",
    at: ["dns"],
    mend: "Check the spelling of the host. A name that only a company's network knows needs its VPN or name server.",
    recognise(e) {
      if (trouble(e)?.at !== "dns") return undefined;
      const sure = /ENOTFOUND|ENODATA/.test(code(e));
      return {
        headline: sure
          ? `There is no host ${JSON.stringify(e.url.hostname)}: the name can't be resolved`
          : `The name ${JSON.stringify(e.url.hostname)} can't be resolved now: no name server answers`,
        ...(e.proxyVariables.length === 0
          ? {}
          : {
              mend: `${e.proxyVariables.join(" and ")} is set in your environment and is not used by itself: give --proxy URL.`,
            }),
      };
    },
  },
  {
    id: "nobody-listens",
    at: ["tcp"],
    mend: "Start the server; check the port. In a container: publish the port, and listen on 0.0.0.0 there in place of 127.0.0.1.",
    recognise: (e) =>
      /ECONNREFUSED|ConnectionRefused/.test(code(e))
        ? `Nobody listens on port ${portOf(e)} of ${e.url.hostname}: the connection is refused`
        : undefined,
  },
  {
    id: "connection-times-out",
    at: ["tcp"],
    mend: "A firewall or a wrong address swallows the packets: check both, and whether a VPN or a proxy (--proxy) is needed.",
    recognise(e) {
      if (code(e) !== "ETIMEDOUT") return undefined;
      return {
        headline: `Port ${portOf(e)} of ${e.url.hostname} does not answer at all: neither a connection nor a refusal`,
        ...(e.proxyVariables.length === 0
          ? {}
          : {
              mend: `${e.proxyVariables.join(" and ")} is set in your environment and is not used by itself: give --proxy URL.`,
            }),
      };
    },
  },
  {
    id: "host-unreachable",
    at: ["tcp"],
    mend: "Check the network, the VPN and the address (a host may have an IPv6 address that leads nowhere).",
    recognise: (e) =>
      /EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL/.test(code(e))
        ? `There is no way to ${e.url.hostname}: ${trouble(e)?.message}`
        : undefined,
  },
  {
    id: "no-connection",
    at: ["dns", "tcp"],
    mend: "Check the address and the network.",
    recognise: (e) => `No connection to ${e.url.host}: ${trouble(e)?.message} (${code(e)})`,
  },
];
