/** Tests a conversation of 5,000 blocks: it is rendered in part, scrolls smoothly, and new text renders only itself. */
import { findBrowser } from "@cairn/testkit/system-package";
import { AppBench } from "@cairn/testkit/web";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeAll, DESKTOP, PHONE, SOON, TestBrowser } from "./browser.ts";
import { FrameMeter } from "./frames.ts";
import { longConversation } from "./long-conversation.ts";

const chromium = findBrowser();
const TURNS = 500;
const MAX_NODES = 3_000;
const MAX_SCRIPTING_MS = 8;

describe.skipIf(chromium.path === null)("a conversation of 5,000 blocks", () => {
  let bench: AppBench;
  let browser: TestBrowser;
  beforeAll(async () => {
    bench = await AppBench.open();
    browser = await TestBrowser.launch(chromium.path ?? "");
  });
  afterAll(() => closeAll(browser, bench));

  it("keeps the page under 3,000 nodes and the scripting of a frame under 8 ms, read from its end to its beginning", async () => {
    const events = longConversation(TURNS);
    expect(events.filter(({ kind }) => kind === "block.appended").length).toBeGreaterThanOrEqual(5_000);
    await bench.seed("long", events);
    await using at = await browser.open(`${bench.address}/c/long`);
    const { page } = at;
    await page.getByText(`Answer number ${TURNS}.`, { exact: false }).first().waitFor();
    const meter = await FrameMeter.of(page, page.getByRole("region", { name: "Conversation" }));
    // Loads older turns until all blocks are on the page.
    while ((await page.getByText("Question number 1.").count()) === 0) await meter.frame(-1_000_000);
    const { p50, p95, nodes } = await meter.readWithin(200, MAX_SCRIPTING_MS);
    console.log(
      `5,000 blocks: at most ${nodes} nodes; scripting per frame p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
    );
    expect(nodes).toBeLessThan(MAX_NODES);
    expect(p95).toBeLessThan(MAX_SCRIPTING_MS);
  });

  it("opens at its end, and stays there when its width changes", async () => {
    await bench.seed("ended", longConversation(TURNS));
    for (const [first, then] of [
      [DESKTOP, PHONE],
      [PHONE, DESKTOP],
      [DESKTOP, PHONE],
    ] as const) {
      await using at = await browser.open(`${bench.address}/c/ended`, { viewport: first });
      const list = at.page.getByRole("region", { name: "Conversation" });
      const below = () => list.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
      await at.page.getByText(`Answer number ${TURNS}.`, { exact: false }).first().waitFor();
      await expect.poll(below, SOON).toBeLessThan(2);
      await at.page.setViewportSize(then);
      await expect.poll(below, SOON).toBeLessThan(2);
    }
  });

  it("is printed completely, without its controls, and keeps its scroll position", async () => {
    await bench.seed("printed", longConversation(40));
    await using at = await browser.open(`${bench.address}/c/printed`);
    const { page } = at;
    const last = page.getByText("Answer number 40.", { exact: false });
    await last.first().waitFor();
    // The print dialog of the browser is replaced, because it would wait for a person.
    await page.evaluate(() => {
      globalThis.print = () => {
        document.title = "Printed";
      };
    });
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Print" }).click();
    await expect.poll(() => page.title(), SOON).toBe("Printed");
    // The events of printing in the browser's order: before, layout for paper, layout for the screen, after.
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("article").count()).toBe(40);
    expect(await page.getByText("Question number 1.").isVisible()).toBe(true);
    expect(await page.getByRole("textbox", { name: "Message" }).isVisible()).toBe(false);
    expect(await page.getByRole("toolbar").count()).toBe(0);
    const sheet = await page.evaluate(() => [document.documentElement.scrollHeight, innerHeight]);
    expect(sheet[0]).toBeGreaterThan(10 * (sheet[1] ?? 0));
    await page.emulateMedia({ media: null });
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await expect.poll(() => page.locator("article").count(), SOON).toBeLessThan(20);
    const list = page.getByRole("region", { name: "Conversation" });
    const below = () => list.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
    await expect.poll(below, SOON).toBeLessThan(2);
  });

  it("opens at the turn its address names, however far back", async () => {
    await bench.seed("linked", longConversation(TURNS));
    for (const isDisturbed of [false, true]) {
      await using at = await browser.open("about:blank");
      if (isDisturbed) await at.page.addInitScript(growRowsOnceSeen, "Question number 411.");
      await at.page.goto(`${bench.address}/c/linked#turn_411`);
      const question = at.page.getByText("Question number 411.");
      const top = async () => ((await question.count()) === 0 ? -1 : (await question.boundingBox())?.y);
      await expect.poll(top, SOON).toSatisfy((y) => y >= 0 && y < 200);
      if (isDisturbed) expect(await at.page.evaluate("globalThis.wasDisturbed")).toBe(true);
    }
  });

  it("goes to the turn its address names while it stands at its end", async () => {
    await bench.seed("named", longConversation(TURNS));
    await using at = await browser.open(`${bench.address}/c/named`);
    await at.page.getByText(`Answer number ${TURNS}.`, { exact: false }).first().waitFor();
    for (const turn of [TURNS - 3, 411]) {
      await at.page.evaluate((n) => location.assign(`#turn_${n}`), turn);
      const question = at.page.getByText(`Question number ${turn}.`);
      const top = async () => ((await question.count()) === 0 ? -1 : (await question.boundingBox())?.y);
      await expect.poll(top, SOON).toSatisfy((y) => y >= 0 && y < 200);
    }
  });
});

/** Makes every row taller when its text first becomes visible, as late pictures and fonts do. */
function growRowsOnceSeen(text: string): void {
  const seen = new MutationObserver(() => {
    const list = document.querySelector("section[aria-label=Conversation]");
    if (list === null || !(list.textContent ?? "").includes(text)) return;
    seen.disconnect();
    requestAnimationFrame(() => {
      for (const row of list.querySelectorAll<HTMLElement>("[data-row] > *")) row.style.paddingBottom = "150px";
      Object.assign(globalThis, { wasDisturbed: true });
    });
  });
  seen.observe(document, { childList: true, subtree: true });
}
