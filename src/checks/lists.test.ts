import { describe, expect, test } from "bun:test";
import { alone } from "../matrix/alone.ts";
import type { Bendable } from "../model/bendable.ts";

const NOUNS = ["tools", "resources", "prompts"] as const;
type Noun = (typeof NOUNS)[number];

const page = (server: Bendable, noun: Noun, answer: (cursor: unknown) => readonly [items: unknown[], next?: string]) =>
  server.answer(`${noun}/list`, ({ params }) => {
    const [items, nextCursor] = answer(params["cursor"]);
    return { result: { [noun]: items, ...(nextCursor === undefined ? {} : { nextCursor }) } };
  });

const item = (noun: Noun, name: string): unknown => {
  if (noun === "resources") return { uri: `assay://${name}`, name };
  return noun === "tools" ? { name, inputSchema: { type: "object" } } : { name };
};

for (const noun of NOUNS) {
  describe(`a list of ${noun} that is unusual and right`, () => {
    test("may be empty", async () => {
      const empty = (server: Bendable) => page(server, noun, () => [[]]);
      expect(await alone(`${noun}-list`, empty)).toMatchObject({ status: "pass", saw: `0 ${noun} on 1 page` });
      expect((await alone(`${noun}-schema`, empty)).status).toBe("skipped");
      expect((await alone(`${noun}-pagination`, empty)).status).toBe("skipped");
    });

    test("may use the empty text as a cursor", async () => {
      const outcome = await alone(`${noun}-pagination`, (server) =>
        page(server, noun, (cursor) => (cursor === "" ? [[item(noun, "b")]] : [[item(noun, "a")], ""])),
      );
      expect(outcome).toMatchObject({ status: "pass" });
    });

    test("may have empty pages on the way", async () => {
      const outcome = await alone(`${noun}-pagination`, (server) =>
        page(server, noun, (cursor) => {
          if (cursor === undefined) return [[], "1"];
          return cursor === "3" ? [[item(noun, "a")]] : [[], String(Number(cursor) + 1)];
        }),
      );
      expect(outcome).toMatchObject({ status: "pass" });
    });

    test("may be longer than is read", async () => {
      const outcome = await alone(`${noun}-pagination`, (server) =>
        page(server, noun, (cursor) => [[item(noun, `n${cursor ?? 0}`)], String(Number(cursor ?? 0) + 1)]),
      );
      expect(outcome).toMatchObject({ status: "pass", note: "no more than 50 pages were read" });
    });

    test("may have become another one since", async () => {
      let turns = 0;
      const outcome = await alone(`${noun}-pagination`, (server) =>
        page(server, noun, (cursor) => {
          if (cursor === undefined) return [[item(noun, "a")], "2"];
          turns += 1;
          return [[item(noun, turns === 1 ? "b" : "c")]];
        }),
      );
      expect(outcome).toMatchObject({ status: "pass", note: `the ${noun} were others when they were listed again` });
    });
  });

  test(`${noun} that are not declared are not asked for`, async () => {
    for (const id of [`${noun}-list`, `${noun}-schema`, `${noun}-pagination`]) {
      expect(await alone(id, () => {}, { bare: true })).toMatchObject({ status: "skipped" });
    }
  });

  test(`without a first page of ${noun} the rows that need it are blocked`, async () => {
    const broken = (server: Bendable) =>
      server.answer(`${noun}/list`, () => ({ error: { code: -32603, message: "no" } }));
    expect((await alone(`${noun}-list`, broken)).status).toBe("fail");
    expect(await alone(`${noun}-schema`, broken)).toMatchObject({ status: "blocked", by: `${noun}/list` });
    expect(await alone(`${noun}-pagination`, broken)).toMatchObject({ status: "blocked", by: `${noun}/list` });
  });
}
