import { expect, setDefaultTimeout, test } from "bun:test";
import { JSDOM } from "jsdom";
import { blocked, fail, type Outcome, pass, skipped } from "../model/outcome.ts";
import { posted, report, row, verdict } from "./_specimen.ts";
import { toHtml } from "./html.ts";

// Pages and schemas are work for a machine that has other work.
setDefaultTimeout(60_000);

const redact = (text: string): string => text;
const error: Outcome = { status: "error", because: "a bug of ours" };

const whole = report(
  [
    verdict(row("tools-a"), fail("code -32602", "code 0", 1)),
    verdict(row("tools-b", { level: "inferred" }), fail("one", "two", 2)),
    verdict(row("tools-c"), pass("2 tools", "both are odd")),
    verdict(row("prompts-a", { area: "prompts" }), blocked("prompts/list answered -32603", "prompts/list", 1)),
    verdict(row("prompts-b", { area: "prompts" }), blocked("prompts/list answered -32603", "prompts/list", 1)),
    verdict(row("errors-a", { area: "errors" }), skipped("nothing is declared")),
    verdict(row("errors-b", { area: "errors" }), error),
  ],
  {
    transcript: [posted(1, '{"id":1}', '{"id":1,"error":{}}'), posted(2, '{"id":2}', "")],
    ...{ warnings: ["a warning"], partial: "interrupted", trouble: "exited with code 1", stderrTail: "boom" },
  },
);

/** The page with its script run, as a browser would. */
function opened(html: string): { readonly page: JSDOM; readonly document: Document } {
  const page = new JSDOM(html, { runScripts: "dangerously", url: "https://report.example/" });
  return { page, document: page.window.document };
}

const visible = (document: Document): readonly string[] =>
  [...document.querySelectorAll("[data-status]")]
    .filter((each) => each.closest("[hidden]") === null)
    .map((each) => each.id);

const press = (document: Document, value: string): void =>
  document.querySelector<HTMLElement>(`button[data-value="${value}"]`)?.click();

test("it says all that there is to say", () => {
  const { document } = opened(toHtml(whole, { redact }));
  const text = document.body.textContent ?? "";
  for (const said of [
    "7 checks: 1 passed, 2 failed (1 required, 1 required by this catalog only), 2 blocked (2 required), 1 skipped, 1 tester error",
    "required by this catalog, not by the specification",
    ...[
      "both are odd",
      "a warning",
      "interrupted",
      "exited with code 1",
      "boom",
      "nothing is declared",
      "a bug of ours",
    ],
  ]) {
    expect(text).toContain(said);
  }
  expect(document.title).toMatch(/^F [\d.]+: demo 1\.2\.3, MCP 2025-11-25$/);
});

test("it needs nothing from elsewhere", () => {
  const { document } = opened(toHtml(whole, { redact }));
  expect(document.querySelectorAll("link, img, iframe, object, script[src], [style], [onclick]").length).toBe(0);
  const policy = document.querySelector("meta[http-equiv]")?.getAttribute("content") ?? "";
  expect(policy).toStartWith("default-src 'none'; style-src 'sha256-");
});

test("each failure has what was expected and what came, the way to mend it, and the exchange", () => {
  const { document } = opened(toHtml(whole, { redact }));
  const failure = document.querySelector("#tools-a")?.textContent ?? "";
  for (const said of ["code -32602", "code 0", "Mend tools-a.", '{"id":1}', '{"id":1,"error":{}}', "curl -sSig"]) {
    expect(failure).toContain(said);
  }
  expect(document.querySelector("#tools-b")?.textContent).toContain("(an empty answer)");
});

test("a root cause is told once, with what it blocks beneath", () => {
  const { document } = opened(toHtml(whole, { redact }));
  const causes = [...document.querySelectorAll(".cause")];
  expect(causes.map((each) => [...each.querySelectorAll("[data-status]")].map(({ id }) => id))).toEqual([
    ["prompts-a", "prompts-b"],
  ]);
  expect(causes[0]?.querySelector("h4")?.textContent).toBe("prompts/list answered -32603 prompts/list");
});

test("the filter goes by outcome and by area, and says how many are left", () => {
  const { document } = opened(toHtml(whole, { redact }));
  const shown = () => document.querySelector("#shown")?.textContent;
  expect([visible(document).length, shown()]).toEqual([7, "all 7"]);
  press(document, "fail");
  expect([visible(document), shown()]).toEqual([["tools-a", "tools-b"], "2 of 7"]);
  press(document, "blocked");
  expect(visible(document)).toEqual(["tools-a", "tools-b", "prompts-a", "prompts-b"]);
  press(document, "prompts");
  expect(visible(document)).toEqual(["prompts-a", "prompts-b"]);
  expect(document.querySelector('button[data-value="prompts"]')?.getAttribute("aria-pressed")).toBe("true");
  press(document, "prompts");
  press(document, "errors");
  expect([visible(document), document.querySelector("#none")?.hasAttribute("hidden")]).toEqual([[], false]);
  document.querySelector<HTMLElement>("button[data-clear]")?.click();
  expect([visible(document).length, shown()]).toEqual([7, "all 7"]);
  expect(document.activeElement?.getAttribute("data-value")).toBe("fail");
});

test("the copy button copies the line as it is, and says so", async () => {
  const { page, document } = opened(toHtml(whole, { redact }));
  const copied: string[] = [];
  Object.defineProperty(page.window.navigator, "clipboard", {
    value: { writeText: async (text: string) => void copied.push(text) },
  });
  const button = document.querySelector<HTMLButtonElement>("#tools-a button[data-copy]");
  expect(button?.hidden).toBe(false);
  button?.click();
  await new Promise((resolve) => setImmediate(resolve));
  expect(copied).toEqual([
    `curl -sSig --max-time 10 https://example.com/mcp -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' --data-binary '{"id":1}'`,
  ]);
  expect([button?.textContent, document.querySelector("#said")?.textContent]).toEqual(["Copied", "Copied the line"]);
  page.window.close();
});

test("without the script everything is shown, and no button that does nothing", () => {
  const { document } = new JSDOM(toHtml(whole, { redact })).window;
  expect(visible(document).length).toBe(7);
  const dead = [...document.querySelectorAll("button")].filter((each) => each.closest("[hidden]") === null);
  expect(dead.length).toBe(0);
});

test("every control has a name, every list of fields its terms, every id is there once", () => {
  const { document } = opened(toHtml(whole, { redact }));
  for (const button of document.querySelectorAll("button")) expect(button.textContent?.trim()).not.toBe("");
  for (const region of document.querySelectorAll("pre")) expect(region.tabIndex).toBe(0);
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(document.documentElement.lang).toBe("en");
  expect([...document.querySelectorAll("h1, h2, h3, h4")].map(({ tagName }) => tagName)[0]).toBe("H1");
});

test("a script of the server's does not run", () => {
  const hostile = `"><script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">`;
  const { page, document } = opened(
    toHtml(
      report([verdict(row("tools-a"), fail(hostile, hostile, 1)), verdict(row("tools-b"), blocked(hostile, hostile))], {
        ...{ url: `https://example.com/${hostile}`, warnings: [hostile], trouble: hostile, stderrTail: hostile },
        server: { ...report([]).server, name: hostile, version: hostile, protocolVersion: hostile },
        transcript: [posted(1, hostile, hostile)],
      }),
      { redact },
    ),
  );
  expect("hacked" in page.window).toBe(false);
  expect(document.querySelectorAll("script, img").length).toBe(1);
  expect(document.querySelector("h1")?.textContent).toBe(`${hostile} ${hostile}`);
});
