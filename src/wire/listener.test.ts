import { expect, test } from "bun:test";
import { get } from "node:http";
import { listenLocally } from "./listener.ts";

const read = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get(url, (response) => {
      let text = "";
      response.on("data", (part) => {
        text += String(part);
      });
      response.on("end", () => resolve(text));
    }).on("error", reject);
  });

test("it counts only what asks for its own path, and answers with its body", async () => {
  const listener = await listenLocally("/secret", "answer");
  expect(await read(listener.url)).toBe("answer");
  await read(new URL("/favicon.ico", listener.url).href);
  expect(listener.hits()).toEqual(["/secret"]);
  await listener.close();
  expect(await read(listener.url).catch(() => "refused")).toBe("refused");
});
