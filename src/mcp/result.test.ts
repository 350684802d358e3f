import { expect, test } from "bun:test";
import type { ServerContext } from "@modelcontextprotocol/server";
import { progressOf } from "./result.ts";

test("a call that was cancelled is told of no more progress", () => {
  const controller = new AbortController();
  const told: unknown[] = [];
  const mcpReq = {
    ...{ _meta: { progressToken: 1 }, signal: controller.signal },
    notify: async (notification: unknown) => void told.push(notification),
  };
  const tell = progressOf({ mcpReq } as unknown as ServerContext);
  tell(1, 2, "PASS a");
  controller.abort();
  tell(2, 2, "SKIP b");
  expect(told).toEqual([
    { method: "notifications/progress", params: { progressToken: 1, progress: 1, message: "PASS a", total: 2 } },
  ]);
});
