import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A program that tells who it is as it starts, then neither answers nor ends when asked to. */
export interface Stubborn {
  /** What `-e` of the runtime takes. */
  readonly code: string;
  /** Its process id, once it runs. */
  readonly born: Promise<number>;
  close(): void;
}

export async function stubborn(): Promise<Stubborn> {
  let tell: (pid: number) => void = () => {};
  const born = new Promise<number>((resolve) => {
    tell = resolve;
  });
  const registry = createServer((request, response) => {
    response.end();
    tell(Number(request.url?.slice(1)));
  });
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
  const { port } = registry.address() as AddressInfo;
  return {
    code: `process.on("SIGTERM", () => {}); process.stdin.resume(); require("http").get("http://127.0.0.1:${port}/" + process.pid); setInterval(() => {}, 1000);`,
    born,
    close: () => void registry.close(),
  };
}
