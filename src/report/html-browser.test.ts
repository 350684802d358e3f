import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { blocked, fail, pass, skipped } from "../model/outcome.ts";
import { posted, report, row, verdict } from "./_specimen.ts";
import { toHtml } from "./html.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const executable =
  process.env["CHROMIUM"] ?? NAMES.map((name) => Bun.which(name)).find((path) => path !== null) ?? undefined;
if (executable === undefined) {
  console.warn("SKIPPED: the HTML report in a browser. There is no Chromium: set CHROMIUM or put chromium on PATH.");
}

/** Where the pictures are left for whoever wants to look at the page. */
const PICTURES = fileURLToPath(new URL("../../dist/pictures/", import.meta.url));
// It marks the window by every way that a text could become a script.
const HOSTILE = [
  '"><script>hacked("script")</script>',
  `<img src="x" onerror="hacked('image')">`,
  "<svg onload=\"hacked('svg')\">",
  "</pre></code></script><script>hacked('end')</script>",
  "<a href=\"javascript:hacked('link')\">click</a>",
].join("\n");

const hostile = report(
  [
    verdict(row("tools-a"), fail(HOSTILE, HOSTILE, 1)),
    verdict(row("tools-b"), pass(HOSTILE, HOSTILE)),
    verdict(row("prompts-a", { area: "prompts" }), blocked(HOSTILE, HOSTILE, 1)),
    verdict(row("errors-a", { area: "errors" }), skipped(HOSTILE)),
  ],
  {
    ...{ url: `https://example.com/${HOSTILE}`, warnings: [HOSTILE], trouble: HOSTILE, stderrTail: HOSTILE },
    server: { ...report([]).server, name: HOSTILE },
    transcript: [posted(1, HOSTILE, HOSTILE)],
  },
);

let browser: Browser | undefined;
let folder = "";
beforeAll(async () => {
  if (executable === undefined) return;
  browser = await chromium.launch({
    executablePath: executable,
    timeout: 150_000,
    // Whoever is root, as in a container, has no sandbox; the page is our own.
    args: ["--no-sandbox", "--disable-gpu"],
  });
  folder = mkdtempSync(join(tmpdir(), "assay-html-"));
  mkdirSync(PICTURES, { recursive: true });
}, 180_000);
afterAll(async () => {
  await browser?.close();
  if (folder !== "") rmSync(folder, { recursive: true, force: true });
});

test.skipIf(executable === undefined)(
  "in Chromium the filter works, and nothing that a server wrote runs",
  async () => {
    const file = join(folder, "report.html");
    writeFileSync(file, toHtml(hostile, { redact: (text) => text }));
    const page = await browser?.newPage({ viewport: { width: 1100, height: 900 } });
    if (page === undefined) throw new Error("no browser");
    page.setDefaultTimeout(150_000);
    const run: string[] = [];
    const asked: string[] = [];
    await page.exposeFunction("hacked", (how: string) => void run.push(how));
    page.on("request", (request) => void asked.push(request.url()));
    page.on("pageerror", (error) => void run.push(error.message));
    await page.goto(pathToFileURL(file).href);
    const left = () =>
      page.$$eval("[data-status]", (all) =>
        all.filter((each) => (each as HTMLElement).offsetParent !== null).map(({ id }) => id),
      );
    expect(await left()).toEqual(["tools-a", "prompts-a", "tools-b", "errors-a"]);
    await page.click("button:has-text('Blocked 1')");
    expect(await left()).toEqual(["prompts-a"]);
    expect(await page.textContent("#shown")).toBe("1 of 4");
    await page.keyboard.press("Enter");
    expect(await left()).toHaveLength(4);
    await page.screenshot({ path: join(PICTURES, "report-light.png"), fullPage: true });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.screenshot({ path: join(PICTURES, "report-dark.png"), fullPage: true });
    // The reader of a narrow screen scrolls down only.
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await page.screenshot({ path: join(PICTURES, "report-narrow.png"), fullPage: true });
    expect([run, asked]).toEqual([[], [pathToFileURL(file).href]]);
    await page.close();
  },
  180_000,
);
