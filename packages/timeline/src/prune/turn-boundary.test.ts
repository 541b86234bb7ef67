import { make } from "@cairn/testkit/conversation";
import { describe, expect, it } from "vitest";
import type { Block } from "../block/block.ts";
import { Timeline } from "../timeline.ts";
import { removalGain } from "./cost-rule.ts";
import { expectRemoval } from "./expectation.ts";

const countTokens = (text: string) => Math.ceil(text.length / 4);
const deps = { clock: { now: () => 0 }, countTokens };
const prices = { read: 0.1, write: 1.25, expectedRequests: 60, rereadShare: 0.1 };
const BULK = "data ".repeat(2_000);

function turnWith(blocks: readonly Block[], answer = "done"): Timeline {
  const timeline = Timeline.create(deps);
  timeline.contribute([
    make.header("turn_1"),
    make.prompt("turn_1", BULK),
    ...blocks,
    make.completion("turn_1", answer),
  ]);
  return timeline;
}

const at = (call: string) => ({ turn: "turn_1", call });
const lookup = (call: string, text = BULK) => [
  make.call(at(call), "mcp.a.b", {}),
  make.result(at(call), text, "text/plain"),
];
const hidden = (timeline: Timeline) =>
  timeline.state.window.filter((entry) => entry.overlay !== null).map((entry) => [entry.block.path, entry.overlay?.by]);

describe("removalGain", () => {
  it("is the saving of smaller reads, minus the cost of writing and fetching again", () => {
    // 1,000 removed, 500 tokens after them, 60 requests: 6,000 - 575 - 0.1 * 1,000 * 7.25
    expect(removalGain(1_000, 500, prices)).toBeCloseTo(6_000 - 575 - 725);
  });

  it("is negative when too much follows or too few requests are expected", () => {
    expect(removalGain(1_000, 10_000, prices)).toBeLessThan(0);
    expect(removalGain(1_000, 500, { ...prices, expectedRequests: 5 })).toBeLessThan(0);
    expect(removalGain(1_000, 0, { ...prices, rereadShare: 1 })).toBeLessThan(0);
  });
});

describe("the end of a turn", () => {
  it("replaces large results with their description and path, in one declared reset", () => {
    const timeline = turnWith([...lookup("a"), ...lookup("b")]);
    expect(timeline.pruneTurn("turn_1", prices)).toEqual({ cause: "turn_prune", blocks: 2 });
    expect(hidden(timeline)).toEqual([
      ["tc:turn_1.a.result", "policy"],
      ["tc:turn_1.b.result", "policy"],
    ]);
    const shown = timeline
      .render()
      .messages()
      .flatMap((message) => (message.type === "text" ? [message.text] : []));
    const begins = "[TRUNCATED] Restore with react.read(tc:turn_1.a.result)\n";
    expect(shown.filter((text) => text.startsWith(begins))).toHaveLength(1);
    expect(timeline.pruneTurn("turn_1", prices)).toBeNull();
    expect(timeline.resolve("tc:turn_1.a.result")).toMatchObject({ text: BULK, hidden: true });
  });

  it("keeps prompts, answers, notes, plans and files, however large", () => {
    const timeline = turnWith(
      [
        make.notes(at("n"), BULK),
        { type: "react.note", turn_id: "turn_1", text: BULK },
        ...make.file(at("w"), { name: "a.md", mime: "text/markdown", text: BULK }),
      ],
      BULK,
    );
    expect(timeline.pruneTurn("turn_1", prices)).toBeNull();
  });

  it("keeps results that the answer cites", () => {
    const rows = JSON.stringify([{ sid: 7, text: BULK }]);
    const found = make.blockOf(at("s"), "react.tool.result", "so:sources_pool[7]", { text: rows });
    const fetched = make.result(at("f"), JSON.stringify({ "https://a.com": { sid: 7, content: BULK } }));
    expect(turnWith([found, fetched], "As [[S:7]] says").pruneTurn("turn_1", prices)).toBeNull();
    expect(turnWith([found, fetched], "Nothing cited").pruneTurn("turn_1", prices)).toMatchObject({ blocks: 2 });
  });

  it("shortens the rows and pages next to those the answer cites", () => {
    const row = (sid: number) => ({ sid, url: `https://a.com/${sid}`, title: "T", text: BULK });
    const found = make.blockOf(at("s"), "react.tool.result", "so:sources_pool[7-9]", {
      text: JSON.stringify([row(7), row(8), row(9)]),
    });
    const page = (sid: number) => [`https://a.com/${sid}`, { sid, content: BULK }] as const;
    const fetched = make.result(at("f"), JSON.stringify(Object.fromEntries([page(7), page(8)])));
    const other = make.result(at("o"), JSON.stringify({ best: { of: [{ sid: 8 }] }, text: BULK }));
    const timeline = turnWith([found, make.call(at("f"), "web_tools.web_fetch", {}), fetched, other], "See [[S:8]]");
    expect(timeline.pruneTurn("turn_1", prices)).toMatchObject({ blocks: 2 });
    const replacements = timeline.state.window.flatMap(({ overlay }) => overlay?.replacement ?? []);
    const [rows, pages] = replacements.map((text) => JSON.parse(text.slice(text.indexOf("\n") + 1)));
    expect(rows[1]).toEqual(row(8));
    expect(rows[0].text).toHaveLength(60);
    expect(rows[2]).toMatchObject({ sid: 9, url: "https://a.com/9", title: "T" });
    expect(pages["https://a.com/8"]).toEqual({ sid: 8, content: BULK });
    expect(pages["https://a.com/7"].content.length).toBeLessThan(130);
  });

  it("removes only a suffix that saves money: not an early result with much after it", () => {
    const kept = make.notes(at("k"), "word ".repeat(60_000));
    const timeline = turnWith([...lookup("early", BULK.slice(0, 2_000)), kept, ...lookup("late")]);
    timeline.pruneTurn("turn_1", prices);
    expect(hidden(timeline)).toEqual([["tc:turn_1.late.result", "policy"]]);
  });

  it("removes the postponed results as soon as the cache is cold", () => {
    const kept = make.notes(at("k"), "word ".repeat(60_000));
    const timeline = turnWith([...lookup("early", BULK.slice(0, 2_000)), kept]);
    expect(timeline.pruneTurn("turn_1", prices)).toBeNull();
    timeline.contribute([make.header("turn_2"), make.prompt("turn_2", "Next")]);
    timeline.setMeta({ cache_last_touch_at: 0 });
    expect(timeline.prune({ now: 9_000, policy: "economic", prices }).resets).toEqual([
      { cause: "turn_prune", blocks: 1 },
    ]);
    expect(hidden(timeline)).toEqual([["tc:turn_1.early.result", "policy"]]);
  });
});

describe("expectRemoval", () => {
  it("predicts from the past, including how much is read again", () => {
    const base = { read: 0.1, write: 1.25 };
    expect(expectRemoval({ requests: 3, prunedTokens: 0, readAgainTokens: 0 }, base)).toMatchObject({
      expectedRequests: 40,
      rereadShare: 0.2,
    });
    expect(expectRemoval({ requests: 90, prunedTokens: 180_000, readAgainTokens: 116_000 }, base)).toMatchObject({
      expectedRequests: 90,
      rereadShare: 0.6,
    });
  });
});
