/**
 * `npm run bench:frames`: measures an answer that is written at normal speed, after ten calls, in a conversation of 40
 * turns. Prints the time between frames while the answer is written, and how far the conversation moved in any frame:
 * for a reader at the end of the conversation, and for a reader 300 px above it. No other work may run on the machine.
 */
import { findBrowser } from "@cairn/testkit/system-package";
import { AppBench, findsParts, quoteOf, surveyTool } from "@cairn/testkit/web";
import type { Page } from "playwright-core";
import { TestBrowser } from "../e2e/browser.ts";
import { longConversation } from "../e2e/long-conversation.ts";
import { RICH_ANSWER } from "../e2e/rich-answer.ts";
import { furthestFromEnd, furthestFromPlace, ScrollTrace } from "../e2e/scroll-trace.ts";

const TURNS = 40;
const CALLS = 10;
/** Text arrives as fast as fast models write: 40 characters every 20 ms. */
const PACE = { delayMs: 20, pieceSize: 40 };
const MAX_FRAME_MS = 20;
const FRAMES_AFTER = 30;

const chromium = findBrowser();
if (chromium.path === null) throw new Error("There is no Chromium. Install chromium-headless-shell.");
let measured = 0;
await using bench = await AppBench.open({ model: "simulated", tools: [surveyTool] });
await using browser = await TestBrowser.launch(chromium.path);
for (const isAtEnd of [true, false]) {
  const where = isAtEnd ? "at the end" : "300 px above the end";
  // Tracing itself takes time.
  const between = (await measure(isAtEnd, timeFrames)).toSorted((a, b) => a - b);
  const at = (part: number) => (between[Math.floor((between.length - 1) * part)] ?? 0).toFixed(1);
  const onTime = between.filter((ms) => ms <= MAX_FRAME_MS).length / between.length;
  console.log(
    `${where}: ${between.length} frames while the answer was written, ${(onTime * 100).toFixed(1)} % within ` +
      `${MAX_FRAME_MS} ms (median ${at(0.5)}, 95 % ${at(0.95)}, 99 % ${at(0.99)}, longest ${at(1)} ms)`,
  );
  const moved = await measure(isAtEnd, traceFrames);
  console.log(`${where}: moved by ${moved.toFixed(1)} px at most in any frame, until ${FRAMES_AFTER} after the end`);
}

/** `watch` is called when the answer begins, and must end with the answer. */
async function measure<T>(isAtEnd: boolean, watch: (page: Page, isAtEnd: boolean) => Promise<T>): Promise<T> {
  const paragraphs = Array.from(
    { length: 24 },
    // The first words distinguish the paragraphs.
    (_, n) => `Paragraph ${n}: “${quoteOf((n % 6) + 1)}” [[S:${(n % 6) + 1}]] ${"More words. ".repeat(40)}`,
  );
  bench.simulator.script([
    ...Array.from({ length: CALLS }, (_, n) => ({ reply: { text: `Note ${n}.`, ...findsParts((n % 6) + 1) } })),
    { reply: { text: [...paragraphs, RICH_ANSWER].join("\n\n"), ...PACE } },
  ]);
  const id = `conversation-${++measured}`;
  await bench.seed(id, longConversation(TURNS));
  await using at = await browser.open(`${bench.address}/c/${id}`, { reducedMotion: "no-preference" });
  await at.say("What does the survey say?");
  const live = at.page.locator("[data-row=live]");
  await live.getByText("Paragraph 2").waitFor();
  if (!isAtEnd) {
    await at.page.getByRole("region", { name: "Conversation" }).hover();
    await at.page.mouse.wheel(0, -300);
    await at.page.waitForTimeout(500);
  }
  return await watch(at.page, isAtEnd);
}

function ended(page: Page): Promise<void> {
  return page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
}

/** The milliseconds between the frames. */
async function timeFrames(page: Page): Promise<number[]> {
  await page.evaluate(() => {
    const times: number[] = [];
    Reflect.set(globalThis, "frameTimes", times);
    const frame = (time: number) => {
      times.push(time);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await ended(page);
  const times: number[] = await page.evaluate(() => Reflect.get(globalThis, "frameTimes"));
  return times.slice(1).map((time, nth) => time - (times[nth] ?? 0));
}

/** The pixels that the conversation moved. */
async function traceFrames(page: Page, isAtEnd: boolean): Promise<number> {
  const trace = await ScrollTrace.start(page, "[data-row=live] p, [data-row=answer] p");
  await ended(page);
  await trace.frames(FRAMES_AFTER);
  const frames = await trace.read();
  return isAtEnd ? furthestFromEnd(frames) : furthestFromPlace(frames);
}
