/** Tests the inspector of a conversation of 5,000 blocks: a request with all of them, and their list. */
import { findBrowser } from "@cairn/testkit/system-package";
import { AppBench } from "@cairn/testkit/web";
import { makeEvent, type TimelineEvent } from "@cairn/timeline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeAll, TestBrowser } from "./browser.ts";
import { FrameMeter } from "./frames.ts";

const chromium = findBrowser();
const BLOCKS = 5_000;
const MAX_NODES = 3_000;
const MAX_SCRIPTING_MS = 8;

describe.skipIf(chromium.path === null)("the inspector of 5,000 blocks", { timeout: 300_000 }, () => {
  let bench: AppBench;
  let browser: TestBrowser;
  beforeAll(async () => {
    bench = await AppBench.open({ model: "simulated", contextTokens: 1_000_000 });
    browser = await TestBrowser.launch(chromium.path ?? "");
  });
  afterAll(() => closeAll(browser, bench));

  it("keeps the page under 3,000 nodes and the scripting of a frame under 8 ms, in a request and in the list", async () => {
    await bench.seed("long", longConversation());
    bench.simulator.script([{ reply: { text: "It is long." } }]);
    await using at = await browser.open(`${bench.address}/c/long`);
    const { page } = at;
    await at.say("How long is it?");
    await page.getByText("It is long.").waitFor();

    const measure = async (name: string) => {
      const meter = await FrameMeter.of(page, page.getByRole("region", { name, exact: true }));
      const { p50, p95, nodes } = await meter.readWithin(80, MAX_SCRIPTING_MS);
      console.log(
        `${name}: at most ${nodes} nodes; scripting per frame p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
      );
      expect.soft(nodes).toBeLessThan(MAX_NODES);
      expect.soft(p95).toBeLessThan(MAX_SCRIPTING_MS);
      return meter;
    };

    await page.goto(`${bench.address}/c/long/inspect/requests/1`);
    await page.getByText(/What the model was sent\s+5,\d+ messages/).waitFor();
    const request = await measure("Request 1");
    await request.frame(1_000_000);
    await page.getByText("the tail begins").waitFor();

    await page.goto(`${bench.address}/c/long/inspect/blocks`);
    await page.getByRole("link", { name: /Sentence number 0\b/ }).waitFor();
    const list = await measure("Blocks");
    // A page that cannot be loaded is requested once, and again only if the reader retries.
    let asked = 0;
    await page.route("**/blocks?*", (route) => {
      asked++;
      return route.abort();
    });
    await list.frame(1_000_000);
    const alert = page.getByRole("alert").filter({ hasText: "The rest could not be loaded" });
    await alert.waitFor();
    await page.waitForTimeout(500);
    expect(asked).toBe(1);
    await page.unroute("**/blocks?*");
    await alert.getByRole("button", { name: "Try again" }).click();
    await alert.waitFor({ state: "detached" });
    // Scrolls down page by page.
    const rows = page.getByRole("region", { name: "Blocks" }).getByRole("listitem");
    const reached = async () => Number(await rows.last().getAttribute("data-index"));
    while ((await reached()) < 1_400) await list.frame(10_000);
    expect(await list.frame(0)).toBeLessThan(MAX_NODES);
    expect(at.complaints).toEqual([]);
  });
});

/** A turn has ten blocks. */
function longConversation(): TimelineEvent[] {
  const events: TimelineEvent[] = [];
  const ts = new Date().toISOString();
  for (let position = 0; position < BLOCKS; position++) {
    const turn_id = `turn_${Math.floor(position / 10) + 1}`;
    if (position % 10 === 0) events.push(makeEvent("turn.opened", { turn_id, ts }));
    const [type, path] =
      position % 10 === 0
        ? ["user.prompt", `ar:${turn_id}.user.prompt`]
        : position % 10 === 9
          ? ["assistant.completion", `ar:${turn_id}.assistant.completion`]
          : ["react.note", `ar:${turn_id}.note.${position}`];
    const text = `Sentence number ${position} of a long conversation. ${"It has a few words more. ".repeat(8)}`;
    const block = { type, turn_id, ts, path, text, meta: {} };
    events.push(makeEvent("block.appended", { position, tokens: 60, version: 1, block }));
    if (position % 10 === 9) events.push(makeEvent("turn.closed", { turn_id, ts, exit: "complete" }));
  }
  return events;
}
