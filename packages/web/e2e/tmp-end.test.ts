import { findCommand } from "@cairn/testkit/system-package";
import { AppBench } from "@cairn/testkit/web";
import { makeEvent, type TimelineEvent } from "@cairn/timeline";
import { it } from "vitest";
import { TestBrowser, PHONE, DESKTOP } from "./browser.ts";
import { RICH_ANSWER } from "./rich-answer.ts";
it("x", { timeout: 600_000 }, async () => {
  await using bench = await AppBench.open();
  await using browser = await TestBrowser.launch(findCommand("chromium").path ?? "");
  for (const kind of ["short", "rich"]) {
  await bench.seed(kind, make(500, kind === "rich"));
  for (let i = 0; i < 12; i++) {
    await using at = await browser.open(`${bench.address}/c/${kind}`, { viewport: i % 2 ? PHONE : DESKTOP });
    const start = Date.now();
    const look = async () => await at.page.evaluate(() => { const e = document.querySelector('section[aria-label="Conversation"]'); return e === null ? "none" : `${Math.round(e.scrollHeight - e.scrollTop - e.clientHeight)} of ${e.scrollHeight}`; });
    await at.page.waitForSelector('section[aria-label="Conversation"]').catch(() => null);
    await at.page.waitForTimeout(1500);
    const first = await look();
    await at.page.waitForTimeout(2500);
    const second = await look();
    await at.page.setViewportSize(i % 2 ? DESKTOP : PHONE);
    await at.page.waitForTimeout(1500);
    console.log(kind, i, "after", Date.now() - start, first, second, "resized", await look());
  }}
});
function make(TURNS: number, rich: boolean): TimelineEvent[] {
  const events: TimelineEvent[] = [];
  let position = 0;
  for (let n = 1; n <= TURNS; n++) {
    const turn_id = `turn_${n}`;
    const ts = new Date(Date.parse("2026-02-09T10:00:00Z") + n * 60_000).toISOString();
    const add = (type: string, path: string, text: string) => {
      const meta = path.startsWith("tc:") ? { tool_call_id: path.split(".")[1] ?? "", iteration: 1 } : {};
      events.push(makeEvent("block.appended", { position: position++, tokens: 10, version: 1, block: { type, turn_id, ts, path, text, meta } } as never));
    };
    events.push(makeEvent("turn.opened", { turn_id, ts }));
    add("turn.header", `ar:${turn_id}.turn.header`, "");
    add("user.prompt", `ar:${turn_id}.user.prompt`, `Question number ${n}.`);
    add("assistant.completion", `ar:${turn_id}.assistant.completion`, `Answer number ${n}. ${rich ? RICH_ANSWER : ""}`);
    events.push(makeEvent("turn.closed", { turn_id, ts, exit: "complete" }));
  }
  return events;
}
