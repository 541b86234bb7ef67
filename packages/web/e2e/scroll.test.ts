/**
 * Tests the scroll position of a conversation. In every frame, the list must stay at its end or at the row that the
 * reader reads, when heights change for any reason.
 */
import { bySize } from "@cairn/testkit/runs";
import { findBrowser } from "@cairn/testkit/system-package";
import { AppBench, findsParts, Gate, quoteOf, surveyTool } from "@cairn/testkit/web";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { closeAll, PHONE, SOON, TestBrowser, type TestPage } from "./browser.ts";
import { longConversation } from "./long-conversation.ts";
import { furthestFromEnd, furthestFromPlace, ScrollTrace } from "./scroll-trace.ts";

const chromium = findBrowser();
const TURNS = 40;
const PARTS = [1, 2, 3, 4, 5, 6];
/** How much slower the page runs. Chromium slows down the page by keeping a core busy. */
const THROTTLE = bySize({ quick: 1, usual: 1, long: 6 });

type Motion = "reduce" | "no-preference";

describe.skipIf(chromium.path === null)("the place of a conversation", () => {
  let bench: AppBench;
  let browser: TestBrowser;
  let at: TestPage;
  const gate = new Gate();
  beforeAll(async () => {
    bench = await AppBench.open({ model: "simulated", tools: [surveyTool, gate.tool] });
    browser = await TestBrowser.launch(chromium.path ?? "");
  });
  afterEach(async () => {
    expect(await at.close()).toEqual([]);
    expect(bench.simulator.remaining).toEqual([]);
  });
  afterAll(() => closeAll(browser, bench));

  /** Opens a long conversation at its end, and then slows down the machine. */
  const openSlowly = async (id: string, turns = TURNS): Promise<Page> => {
    await bench.seed(id, longConversation(turns));
    at = await browser.open(`${bench.address}/c/${id}`);
    await at.page.getByText(`Answer number ${turns}.`, { exact: false }).first().waitFor();
    await expect.poll(below, SOON).toBeLessThan(2);
    if (THROTTLE > 1) {
      const session = await at.context.newCDPSession(at.page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: THROTTLE });
    }
    return at.page;
  };
  const list = () => at.page.getByRole("region", { name: "Conversation" });
  const below = () => list().evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
  /** Scrolls up by about this many pixels. */
  const readUp = async (distance: number) => {
    await list().hover();
    await at.page.mouse.wheel(0, -distance);
    await expect.poll(below, SOON).toBeGreaterThan(distance / 2);
    await list().evaluate(async (element) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      for (let still = 0, top = -1; still < 5; still = element.scrollTop === top ? still + 1 : 0) {
        top = element.scrollTop;
        await frame();
      }
    });
  };

  it("keeps the turn and the focus where they are when another version of it is shown", async () => {
    const answers = [1, 2, 3, 4, 5].map((n) => ({ reply: { text: `Answer ${n}. ${"More words. ".repeat(200)}` } }));
    bench.simulator.script([...answers, { reply: { text: "Another answer." } }]);
    at = await browser.open(bench.address);
    const { page } = at;
    for (const n of [1, 2, 3, 4, 5]) {
      await at.say(`Question ${n}`);
      await at.answered(n);
    }
    await readUp(2_000);
    await page.getByRole("toolbar", { name: "Turn 3", exact: true }).getByRole("button", { name: "Ask again" }).click();
    await page.getByText("Another answer.").waitFor();
    await at.answered(3);
    const versions = page.getByRole("group", { name: "Versions of question 3" });
    const top = async () => (await versions.boundingBox())?.y ?? Number.NaN;
    const before = await top();
    await versions.getByRole("button", { name: "Previous version" }).click();
    await versions.getByText("1/2").waitFor();
    await expect.poll(async () => Math.abs((await top()) - before), SOON).toBeLessThan(2);
    await versions.getByRole("button", { name: "Next version" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await versions.getByText("2/2").waitFor();
    await expect.poll(async () => Math.abs((await top()) - before), SOON).toBeLessThan(2);
    await versions.getByRole("button", { name: "Previous version" }).and(page.locator(":focus")).waitFor();
  });

  it("leaves the page where it is when a screen reader shows a hidden heading", async () => {
    const page = await openSlowly("headings");
    const heights = () => page.evaluate(() => [document.documentElement.scrollHeight, window.innerHeight]);
    const [height, ofWindow] = await heights();
    expect(height).toBe(ofWindow);
    // The headings are shown from the last to the first, so that the list ends above its end.
    await page.getByRole("heading", { name: /^Question \d+$/ }).evaluateAll((headings) => {
      for (const heading of headings.toReversed()) heading.scrollIntoView();
    });
    expect(await page.evaluate(() => document.documentElement.scrollTop)).toBe(0);
    expect(await below()).toBeGreaterThan(0);
  });

  const ended = () => at.page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });

  /** A turn that uses ten tools, writes three files and cites six sources; its answer waits for the gate. */
  const askWithTools = async (id: string, reducedMotion: Motion = "no-preference", parts = 6) => {
    gate.close();
    const note = (n: number) => `Note ${n}. ${"I look at the next part of the survey. ".repeat(4)}`;
    const write = (name: string) => ({
      name: "react__write",
      input: { path: `files/${name}.md`, channel: "canvas", kind: "file", content: "# Report\n" },
    });
    const answer = Array.from(
      { length: parts },
      (_, n) => `Paragraph ${n}: “${quoteOf((n % 6) + 1)}” [[S:${(n % 6) + 1}]] ${"More words. ".repeat(40)}`,
    );
    bench.simulator.script([
      ...PARTS.map((n) => ({ reply: { text: note(n), ...findsParts(n) } })),
      { reply: { text: note(7), calls: ["a", "b", "c"].map(write) } },
      { reply: { text: note(8), calls: [{ name: "gate__wait", input: {} }] } },
      { reply: { text: answer.join("\n\n"), delayMs: 20, pieceSize: 40 } },
    ]);
    await bench.seed(id, longConversation(TURNS));
    at = await browser.open(`${bench.address}/c/${id}`, { reducedMotion });
    await at.say("What does the survey say?");
    await at.page.locator("[data-row=round]").getByText("Note 8").waitFor();
    await expect.poll(below, SOON).toBeLessThan(2);
  };

  it("stays at the end in every frame when the width changes", async () => {
    const page = await openSlowly("width");
    const trace = await ScrollTrace.start(page);
    for (const viewport of [PHONE, { width: 1280, height: 820 }, PHONE, { width: 700, height: 500 }]) {
      await page.setViewportSize(viewport);
      await trace.frames(20);
    }
    expect(furthestFromEnd(await trace.read())).toBeLessThan(2);
  });

  it("stays at the end in every frame when rows grow and shrink after they were drawn", async () => {
    const page = await openSlowly("late");
    const trace = await ScrollTrace.start(page);
    // Both last changes happen in one frame: rows get shorter, so that the browser scrolls up, and get taller again.
    for (const heights of [[400], [0], [1_500], [90], [0, 60]]) {
      await changeRows(page, { heights });
      await trace.frames(5);
    }
    await page.evaluate(() => document.documentElement.style.setProperty("font-size", "24px"));
    await trace.frames(10);
    expect(furthestFromEnd(await trace.read())).toBeLessThan(2);
  });

  it.each(["no-preference", "reduce"] as const)(
    "stays at the end in every frame when an answer ends that used tools, with motion: %s",
    async (motion) => {
      await askWithTools(`tools-${motion}`, motion);
      const trace = await ScrollTrace.start(at.page);
      gate.open();
      await at.answered(TURNS + 1);
      await trace.frames(20);
      const frames = await trace.read();
      expect(furthestFromEnd(frames)).toBeLessThan(2);
      const kinds = Object.keys(frames.at(-1)?.rows ?? {}).map((name) => name.split(":")[0]);
      expect(kinds).toContain("files");
      expect(kinds).not.toContain("round");
    },
  );

  it.each([300, 3_000])(
    "keeps every row in sight in its place in every frame when an answer ends that used tools, read %i px above the end",
    async (distance) => {
      await askWithTools(`tools-${distance}`);
      await readUp(distance);
      const trace = await ScrollTrace.start(at.page);
      await trace.frames(2);
      gate.open();
      await ended();
      await trace.frames(20);
      expect(furthestFromPlace(await trace.read())).toBeLessThan(2);
    },
  );

  it("keeps the words that are read in their place in every frame while the answer they are in grows, and when it ends", async () => {
    await askWithTools("words", "no-preference", 12);
    gate.open();
    const live = at.page.locator("[data-row=live]");
    const height = async () => (await live.boundingBox())?.height ?? 0;
    await expect.poll(height, SOON).toBeGreaterThan(1_200);
    await readUp(300);
    const trace = await ScrollTrace.start(at.page, "[data-row=live] p, [data-row=answer] p");
    await trace.frames(2);
    expect(await live.count()).toBe(1);
    await ended();
    await trace.frames(20);
    expect(furthestFromPlace(await trace.read())).toBeLessThan(2);
  });

  it("keeps the words that are read in their place in every frame when earlier words of the same answer change late", async () => {
    const page = await openSlowly("words-above");
    await at.page.setViewportSize({ width: 700, height: 260 });
    // Scrolls into the middle of an answer, which begins above the visible part and ends below it.
    const scrollToList = () =>
      list().evaluate((element) => {
        const paragraph = [...element.querySelectorAll("[data-row=answer] ul")].at(-1);
        const distance = (paragraph?.getBoundingClientRect().top ?? 0) - element.getBoundingClientRect().top - 4;
        element.scrollBy(0, distance);
        return Math.abs(distance);
      });
    // The distance changes, because rows are rendered on the way and get their real sizes.
    await expect.poll(scrollToList, SOON).toBeLessThan(2);
    const trace = await ScrollTrace.start(page, "[data-row=answer] li");
    await trace.frames(5);
    for (const height of [300, 20, 0]) {
      await page.evaluate((pixels) => {
        for (const paragraph of document.querySelectorAll<HTMLElement>("[data-row=answer] p:first-child"))
          paragraph.style.paddingBottom = `${pixels}px`;
      }, height);
      await trace.frames(5);
    }
    expect(furthestFromPlace((await trace.read()).slice(4))).toBeLessThan(2);
  });

  it("keeps what is unfolded in its place in every frame, and goes to the end again when asked to", async () => {
    const page = await openSlowly("unfolded");
    const work = page.locator("[data-row=work] button").last();
    const trace = await ScrollTrace.start(page, "[data-row=prompt]");
    await trace.frames(2);
    await work.click();
    await page.locator("[data-row=round]").nth(2).waitFor();
    await trace.frames(10);
    await work.click();
    await page.locator("[data-row=round]").first().waitFor({ state: "detached" });
    await trace.frames(10);
    expect(furthestFromPlace(await trace.read())).toBeLessThan(2);
    await readUp(1_000);
    await page.getByRole("button", { name: "Go to the end" }).click();
    await expect.poll(below, SOON).toBeLessThan(2);
    await changeRows(page, { heights: [100] });
    await trace.frames(5);
    expect(await below()).toBeLessThan(2);
  });

  it("keeps the row that is read in its place in every frame when rows above it change after they were drawn", async () => {
    const page = await openSlowly("late-above");
    await readUp(2_500);
    const trace = await ScrollTrace.start(page);
    await trace.frames(2);
    for (const height of [400, 0, 90, 0]) {
      await changeRows(page, { heights: [height], isAbove: true });
      await trace.frames(5);
    }
    expect(furthestFromPlace(await trace.read())).toBeLessThan(2);
  });

  it("keeps the row that is read in its place in every frame when older turns come in above it", async () => {
    const page = await openSlowly("older", 90);
    await list().evaluate((element) => element.scrollTo(0, 2_000));
    const height = await list().evaluate((element) => element.scrollHeight);
    const trace = await ScrollTrace.start(page);
    await trace.frames(10);
    await list().evaluate((element) => element.scrollTo(0, 1_100));
    await trace.frames(1);
    const from = (await trace.read()).length;
    await expect.poll(() => list().evaluate((element) => element.scrollHeight), SOON).toBeGreaterThan(height + 3_000);
    await trace.frames(10);
    expect(furthestFromPlace((await trace.read()).slice(from))).toBeLessThan(2);
  });
});

/**
 * Gives every drawn row, or every row above the visible part, an extra height, one after the other, with a layout for
 * each.
 */
function changeRows(
  page: Page,
  change: { readonly heights: readonly number[]; readonly isAbove?: boolean },
): Promise<void> {
  return page.evaluate(({ heights, isAbove = false }) => {
    const list = document.querySelector("section[aria-label=Conversation]");
    const from = list?.getBoundingClientRect().top ?? 0;
    const rows = [...(list?.querySelectorAll("[data-row]") ?? [])];
    const changed = rows.filter((row) => !isAbove || row.getBoundingClientRect().bottom < from);
    for (const height of heights) {
      for (const row of changed) {
        const late = row.querySelector(".late") ?? row.appendChild(document.createElement("div"));
        late.className = "late";
        late.setAttribute("style", `height: ${height}px`);
      }
      list?.getBoundingClientRect();
    }
  }, change);
}
