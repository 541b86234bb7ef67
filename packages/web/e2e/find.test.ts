/** Tests that a search leads to the message at any place in the conversation, and marks the words. */
import { findBrowser } from "@cairn/testkit/system-package";
import { AppBench } from "@cairn/testkit/web";
import { makeEvent, type TimelineEvent } from "@cairn/timeline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeAll, SOON, TestBrowser, type TestPage } from "./browser.ts";

const chromium = findBrowser();
const TURNS = 300;

describe.skipIf(chromium.path === null)("finding", () => {
  let bench: AppBench;
  let browser: TestBrowser;
  beforeAll(async () => {
    bench = await AppBench.open();
    browser = await TestBrowser.launch(chromium.path ?? "");
    await bench.seed("long", conversation());
  });
  afterAll(() => closeAll(browser, bench));

  const found = ({ page }: TestPage) => page.locator("[data-found]");
  /** The marked words. */
  const marked = ({ page }: TestPage) =>
    page.evaluate(() => [...(CSS.highlights.get("found") ?? [])].map((range) => range.toString()));
  /** Whether the found message is visible. */
  const isInSight = async (at: TestPage) => {
    const box = (await found(at).count()) === 1 ? await found(at).boundingBox() : null;
    return box !== null && box.y >= 0 && box.y < 500;
  };

  it("in the conversation reaches messages that are neither loaded nor drawn, one after the other", async () => {
    await using at = await browser.open(`${bench.address}/c/long`);
    const { page } = at;
    await page.getByText(`Answer ${TURNS}.`).waitFor();
    await page.keyboard.press("Control+f");
    await page.keyboard.type("walrus");
    await expect.poll(() => page.getByText("2 of 2").count(), SOON).toBe(1);
    await expect.poll(() => isInSight(at), SOON).toBe(true);
    expect(await found(at).textContent()).toContain("The wälrus again");
    expect(await marked(at)).toEqual(["wälrus"]);
    await page.keyboard.press("Shift+Enter");
    await expect.poll(() => page.getByText("1 of 2").count(), SOON).toBe(1);
    await expect.poll(() => isInSight(at), SOON).toBe(true);
    expect(await found(at).textContent()).toContain("A walrus was seen");
    await page.keyboard.press("Escape");
    await expect.poll(() => found(at).count(), SOON).toBe(0);
    expect(await page.getByRole("searchbox", { name: "Find in this conversation" }).count()).toBe(0);
  });

  it("in all conversations opens the one that was found at the message, and marks it", async () => {
    await using at = await browser.open(bench.address);
    const { page } = at;
    await page.getByRole("searchbox", { name: "Search conversations" }).fill("walrus seen");
    await page.getByText("A walrus was seen").click();
    await expect.poll(() => isInSight(at), SOON).toBe(true);
    expect(await found(at).textContent()).toContain("A walrus was seen");
    expect(await marked(at)).toEqual(["walrus", "seen"]);
    expect(new URL(page.url()).searchParams.get("find")).toBe("walrus seen");
  });

  it("tells a message to a working agent from the one that began the turn, and goes past several in one turn", async () => {
    await using at = await browser.open(`${bench.address}/c/long?find=otter`);
    const { page } = at;
    await expect.poll(() => page.getByText("3 of 3").count(), SOON).toBe(1);
    expect(await found(at).textContent()).toContain("The last otter");
    for (const [place, text] of [
      ["2 of 3", "Another otter"],
      ["1 of 3", "An otter"],
    ]) {
      await page.getByRole("button", { name: "Previous match" }).click();
      await expect.poll(() => page.getByText(place ?? "").count(), SOON).toBe(1);
      await expect.poll(() => isInSight(at), SOON).toBe(true);
      expect(await found(at).textContent()).toContain(text);
    }
    for (const place of ["2 of 3", "3 of 3"]) {
      await page.getByRole("button", { name: "Next match" }).click();
      await expect.poll(() => page.getByText(place).count(), SOON).toBe(1);
    }
  });

  it("counts all messages with a common word", async () => {
    await using at = await browser.open(`${bench.address}/c/long?find=question`);
    await at.page.getByText(`${TURNS} of ${TURNS}`).waitFor();
  });

  it("says so when nothing is found", async () => {
    await using at = await browser.open(`${bench.address}/c/long?find=unicorn`);
    await at.page.getByText("Nothing", { exact: true }).waitFor();
    expect(await found(at).count()).toBe(0);
  });
});

/** The word "walrus" is in the answer of turn 12 and in the question of turn 200. Turn 100 has three user messages. */
function conversation(): TimelineEvent[] {
  let position = 0;
  return Array.from({ length: TURNS }, (_, nth) => nth + 1).flatMap((n) => {
    const turn_id = `turn_${n}`;
    const ts = new Date(Date.UTC(2026, 1, 9, 10, n)).toISOString();
    const block = (type: string, text: string, number = "") =>
      makeEvent("block.appended", {
        position: position++,
        tokens: 10,
        version: 1,
        block: { type, turn_id, ts, path: `ar:${turn_id}.${type}${number}`, text },
      });
    const otters = () => [block("user.prompt", "Another otter", ".2"), block("user.prompt", "The last otter", ".3")];
    return [
      makeEvent("turn.opened", { turn_id, ts }),
      block("user.prompt", `Question ${n}. ${n === 200 ? "The wälrus again" : n === 100 ? "An otter" : "What now"}?`),
      ...(n === 100 ? otters() : []),
      block(
        "assistant.completion",
        `Answer ${n}. ${n === 12 ? "A walrus was seen. " : ""}${"Some words. ".repeat(60)}`,
      ),
      makeEvent("turn.closed", { turn_id, ts, exit: "complete" }),
    ];
  });
}
