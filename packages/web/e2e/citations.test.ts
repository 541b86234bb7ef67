/**
 * Tests citations over a simulated provider: chips, the card with the quoted words, and sources that the page loads
 * only when they are cited.
 */
import { readFile } from "node:fs/promises";
import { onePagePdf } from "@cairn/testkit/pdf";
import { findBrowser } from "@cairn/testkit/system-package";
import { AppBench, findsParts, quoteOf, surveyTool } from "@cairn/testkit/web";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { closeAll, SOON, TestBrowser, type TestPage } from "./browser.ts";

const chromium = findBrowser();

describe.skipIf(chromium.path === null)("citations", () => {
  let bench: AppBench;
  let browser: TestBrowser;
  let at: TestPage;
  beforeAll(async () => {
    bench = await AppBench.open({ model: "simulated", tools: [surveyTool] });
    browser = await TestBrowser.launch(chromium.path ?? "");
  });
  afterEach(async () => {
    expect(await at.close()).toEqual([]);
    expect(bench.simulator.remaining).toEqual([]);
  });
  afterAll(() => closeAll(browser, bench));

  /** An agent that writes a report after it has found this many parts of the survey. */
  async function writeReport(content: string, parts: number): Promise<Page> {
    const input = { path: "files/report.md", channel: "canvas", kind: "file", content };
    bench.simulator.script([
      { reply: findsParts(parts) },
      { reply: { calls: [{ name: "react__write", input }] } },
      { reply: { text: "It is written." } },
    ]);
    at = await browser.open(bench.address);
    await at.say("Write a report");
    await at.answered();
    return at.page;
  }

  /** Points at a chip and returns the words that its card marks as quoted. */
  async function quoted(row: "live" | "answer", n: number): Promise<string> {
    const chip = at.page
      .locator(`[data-row=${row}]`)
      .last()
      .getByRole("button", { name: `Source ${n}: Ridge survey` });
    await chip.hover();
    const card = at.page.getByRole("dialog", { name: `Source ${n}`, exact: true });
    const words = (await card.locator("mark").textContent()) ?? "";
    await at.page.mouse.move(0, 0);
    await card.waitFor({ state: "detached" });
    return words;
  }

  it("are chips while the answer is written, and know sources that were found before the page was opened, cited now or for the first time later", async () => {
    const text = `“${quoteOf(1)}” [[S:1]] `;
    bench.simulator.script([
      { reply: findsParts(1, 2, 3) },
      { reply: { text: text + "And it goes on for a while. ".repeat(40), delayMs: 120, pieceSize: 12 } },
      { reply: { text: `Besides, “${quoteOf(3)}” [[S:3]]` } },
    ]);
    at = await browser.open(bench.address);
    await at.say("What does the survey say?");
    await at.page.locator("[data-row=live]").getByText("goes on").waitFor();
    expect(await quoted("live", 1)).toBe(quoteOf(1));
    await at.page.reload();
    expect(await quoted("live", 1)).toBe(quoteOf(1));
    await at.answered();
    expect(await quoted("answer", 1)).toBe(quoteOf(1));
    await at.say("And besides?");
    await at.answered(2);
    expect(await quoted("answer", 3)).toBe(quoteOf(3));
  });

  it("are chips in files too, beside the answer and in the inspector", async () => {
    const content = `# Report\n\nIt is said that “${quoteOf(1)}” [[S:1]]\n`;
    const page = await writeReport(content, 1);
    const chip = { name: "Source 1: Ridge survey, part 1" };
    await page.getByRole("list", { name: "Files" }).getByRole("button", { name: "report.md" }).click();
    await page.getByRole("dialog", { name: "report.md" }).getByRole("button", chip).waitFor();
    await page.goto(`${page.url()}/inspect/files`);
    await page.getByRole("link", { name: /^report\.md/ }).click();
    await page.getByRole("region", { name: "report.md" }).getByRole("button", chip).click();
    await page.getByRole("dialog", { name: "Source 1" }).getByText(quoteOf(1)).waitFor();
  });

  /** The marked words in the open dialog. */
  const marked = () =>
    at.page.evaluate(() => [...(CSS.highlights.get("passage") ?? [])].map((range) => range.toString()).join("|"));

  it("open their source at the passage: a page, what was only read here, a text and a PDF that are attached", async () => {
    const words = "The keeper of the hut left in the spring of 1931.";
    bench.simulator.script([
      { reply: findsParts(1, 2) },
      {
        reply: {
          text: `It is said: “${quoteOf(1)}” [[S:3]]. Also “${quoteOf(2)}” [[S:4]]. Then “${words}” [[S:1]]. And “the first line of the page” [[S:2]].`,
        },
      },
    ]);
    at = await browser.open(bench.address);
    const { page } = at;
    const notes = `${"A line of no interest.\n".repeat(200)}${words}\n${"And more.\n".repeat(50)}`;
    const pdf = onePagePdf(["This is the first line of the page"]);
    await page.getByLabel("Files to attach").setInputFiles([
      { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from(notes) },
      { name: "page.pdf", mimeType: "application/pdf", buffer: Buffer.from(pdf) },
    ]);
    await at.say("What is said?");
    await at.answered();
    const answer = page.getByRole("article", { name: "Answer 1" });
    const open = async (source: RegExp, button: string, dialog: string) => {
      await answer.getByRole("button", { name: source }).click();
      await page.getByRole("button", { name: button }).click();
      return page.getByRole("dialog", { name: dialog });
    };
    const read = await open(/^Source 3/, "Show the passage", "Ridge survey, part 1");
    await read.getByText("The cited passage is marked.").waitFor();
    expect(await marked()).toBe(quoteOf(1));
    await expect.poll(() => at.faults(), SOON).toEqual([]);
    await page.keyboard.press("Escape");
    const web = await open(/^Source 4/, "Show the passage", "Ridge survey, part 2");
    const link = await web.getByRole("link", { name: "Open the page" }).getAttribute("href");
    expect(link).toBe(`https://survey.example/2#:~:text=${encodeURIComponent(quoteOf(2))}`);
    await page.keyboard.press("Escape");
    const text = await open(/^Source 1: notes/, "Open the file", "notes.txt");
    await text.getByText("The cited passage is marked.").waitFor();
    expect(await marked()).toBe(words);
    const top = () =>
      page.evaluate(() => {
        const [range] = CSS.highlights.get("passage") ?? [];
        return range instanceof Range ? range.getBoundingClientRect().top : -1;
      });
    await expect.poll(top, SOON).toBeGreaterThan(0);
    expect(await top()).toBeLessThan(820);
    await page.keyboard.press("Escape");
    const drawn = await open(/^Source 2: page/, "Open the file", "page.pdf");
    await drawn.getByText("The cited passage is marked.").waitFor();
    await drawn.locator("figure mark").first().waitFor();
    await expect.poll(() => at.faults(), SOON).toEqual([]);
  });

  it("of a file become links when it is downloaded with links", async () => {
    const content = `# Report\n\nIt is said that “${quoteOf(2)}” [[S:1]]; not [[S:9]]. Write \`[[S:1]]\`.\n`;
    const page = await writeReport(content, 2);
    await page.getByRole("list", { name: "Files" }).getByRole("button", { name: "report.md" }).click();
    const saved = async (name: string) => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("dialog", { name: "report.md" }).getByRole("link", { name, exact: true }).click(),
      ]);
      expect(download.suggestedFilename()).toBe("report.md");
      return readFile(await download.path(), "utf8");
    };
    expect(await saved("Download")).toBe(content);
    expect(await saved("Download with links")).toBe(
      content.replace("[[S:1]]", "[Ridge survey, part 2](https://survey.example/2)"),
    );
  });

  it("can all be opened, however many stand together, and are copied as links", async () => {
    bench.simulator.script([
      { reply: findsParts(1, 2, 3, 4, 5, 6, 7, 8) },
      { reply: { text: "They say so [[S:1-8]]." } },
    ]);
    at = await browser.open(bench.address, { permissions: ["clipboard-read", "clipboard-write"] });
    const { page } = at;
    await at.say("Who says so?");
    await at.answered();
    const answer = page.getByRole("article", { name: "Answer 1" });
    expect(await answer.getByRole("button", { name: /^Source/ }).count()).toBe(6);
    await answer.getByRole("button", { name: "2 more sources" }).click();
    await answer.getByRole("button", { name: "Source 8: Ridge survey, part 8" }).click();
    const card = page.getByRole("dialog", { name: "Source 8" });
    expect(await card.getByRole("link", { name: "Open the page" }).getAttribute("href")).toBe(
      "https://survey.example/8",
    );
    await page.keyboard.press("Escape");
    const copied = () => expect.poll(() => page.evaluate(() => navigator.clipboard.readText()), SOON);
    await page.getByRole("button", { name: "Copy the answer" }).click();
    await copied().toContain("[Ridge survey, part 8](https://survey.example/8)");
    await page.getByRole("button", { name: "Copy the address of the answer" }).click();
    await copied().toMatch(/\/c\/[^/#]+#turn_\w+%20answer$/);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Copy the address" }).click();
    await page.getByText("The address is copied.").waitFor();
    await copied().toBe(page.url());
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download the answer" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("answer-1.md");
    expect(await readFile(await download.path(), "utf8")).toContain(
      "[Ridge survey, part 8](https://survey.example/8).",
    );
  });
});
