import { expect, test } from "bun:test";
import { httpReply } from "../model/exchange.fixture.ts";
import type { Exchange } from "../model/exchange.ts";
import { createPatience } from "./patience.ts";

const answer = (status: number, retryAfter?: string): Exchange => ({
  n: 1,
  session: 1,
  sender: "a-1",
  sent: { text: "{}" },
  received: [],
  end: "reply",
  ms: 1,
  http: httpReply(status, retryAfter === undefined ? [] : [["Retry-After", retryAfter]]),
});

/** Gives the answers one after the other, the last for good, and counts how often it was asked. */
function server(...answers: readonly Exchange[]) {
  const asked = { times: 0 };
  const send = async () => answers[Math.min(asked.times++, answers.length - 1)] ?? answer(200);
  return { asked, send };
}

test("one 429 is forgiven, a second counts, and nothing else is asked again", async () => {
  const patiently = createPatience(() => false);
  for (const [answers, status, times] of [
    [[answer(200)], 200, 1],
    [[answer(503, "0")], 503, 1],
    [[answer(429, "0"), answer(200)], 200, 2],
    [[answer(429, "0"), answer(429, "0"), answer(200)], 429, 2],
    [[answer(429, "soon"), answer(200)], 200, 2],
  ] as const) {
    const { asked, send } = server(...answers);
    expect((await patiently(send)).http?.status).toBe(status);
    expect(asked.times).toBe(times);
  }
});

// Each would take longer than a test may.
test("nobody waits for hours, nor again for a server that refused after it was waited for", async () => {
  const patiently = createPatience(() => false);
  expect((await patiently(server(answer(429, "3600"), answer(429, "3600")).send)).http?.status).toBe(429);
  expect((await patiently(server(answer(429, "59"), answer(200)).send)).http?.status).toBe(200);
});

test("a run that is stopped waits no longer", async () => {
  const patiently = createPatience(() => true);
  expect((await patiently(server(answer(429, "59"), answer(200)).send)).http?.status).toBe(200);
});
