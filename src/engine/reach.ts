import type { Target } from "./context.ts";

/**
 * How another program gets to the target, for lines that repeat a request. stdio: the words of the command line; HTTP: the
 * options of curl for what the run itself was told of certificates and proxies.
 */
export function reachOf(target: Target): readonly string[] {
  if (target.kind === "stdio") return [target.command.command, ...target.command.args];
  const { insecure, ca, caFile, proxy } = target.tls;
  return [
    ...(insecure === true ? ["-k"] : []),
    ...(ca === undefined ? [] : ["--cacert", caFile ?? "authorities.pem"]),
    ...(proxy === undefined ? [] : ["-x", proxy.origin]),
    ...(proxy === undefined || proxy.username === ""
      ? []
      : ["-U", [proxy.username, proxy.password].map(decodeURIComponent).join(":")]),
  ];
}
