import { expect, test } from "bun:test";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { randomness } from "./scan-entropy.ts";

const five = (make: (n: number) => string): readonly string[] => [1, 2, 3, 4, 5].map(make);
const NOW = 1_764_512_345_678;

test("random identifiers have many bits and nothing that rises", () => {
  for (let turn = 0; turn < 200; turn += 1) {
    for (const ids of [
      five(() => randomUUID()),
      five(() => randomBytes(16).toString("hex")),
      five(() => randomBytes(16).toString("base64url")),
      five(() => `mcp${randomBytes(14).toString("hex")}`),
      five(() => `sess_${randomBytes(18).toString("base64url")}`),
      five((n) => createHash("sha256").update(`${turn}-${n}-secret`).digest("hex")),
    ]) {
      const { bits, rising } = randomness(ids);
      expect([ids, bits >= 96, rising]).toEqual([ids, true, false]);
    }
  }
});

test("counters and clocks have few bits", () => {
  for (const ids of [
    five((n) => `session-${n}`),
    five((n) => `${n + 8}`),
    five((n) => String(n).padStart(32, "0")),
    five((n) => String(NOW + n * 13)),
    five((n) => (NOW + n * 13).toString(16)),
    five((n) => `s_${(NOW + n * 13).toString(36)}`),
    five((n) => `notes-server-of-this-machine-${NOW + n}`),
    five((n) => `${(0x6ba7b810 + n * 977).toString(16)}-9dad-11d1-80b4-00c04fd430c8`),
    five((n) => `650e8400${(0xabc000 + n).toString(16)}e29b41d4`),
  ]) {
    const { bits } = randomness(ids);
    expect([ids, bits < 64]).toEqual([ids, true]);
  }
});

test("a clock beside random characters counts for nothing", () => {
  const short = randomness(five((n) => `${NOW + n * 13}-${randomBytes(4).toString("hex")}`));
  expect([short.rising, short.bits]).toEqual([true, 32]);
  const v7 = (n: number) =>
    `${(NOW + n * 13)
      .toString(16)
      .padStart(12, "0")
      .replace(
        /^(.{8})/,
        "$1-",
      )}-7${randomBytes(8).toString("hex").slice(1, 4)}-8${randomBytes(8).toString("hex").slice(1, 4)}-${randomBytes(6).toString("hex")}`;
  expect(randomness(five(v7)).bits).toBeGreaterThan(64);
});

test("short random identifiers have few bits", () => {
  expect(randomness(five((n) => ["k3f9", "zq1x", "p0ab", "m7cd", "t5ef"][n - 1] ?? "")).bits).toBeLessThan(64);
  expect(
    randomness(five((n) => `${"fixed-part-".repeat(5)}${["8Kd2", "Zq1x", "p0Ab", "m7CD", "t5ef"][n - 1]}`)).bits,
  ).toBeLessThan(64);
});
