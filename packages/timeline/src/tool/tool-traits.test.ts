import { make } from "@cairn/testkit/conversation";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../base/json.ts";
import type { Block } from "../block/block.ts";
import { Timeline } from "../timeline.ts";

const deps = { clock: { now: () => 0 }, countTokens: (text: string) => text.length };

/** Turns in each of which `tool` is called once and gives a long text and a file. */
function withCalls(tool: string, traits: JsonObject | null): Timeline {
  const timeline = Timeline.create(deps);
  for (let nth = 1; nth <= 5; nth++) {
    const turn = `turn_${nth}`;
    const at = { turn, call: `tc_${nth}` };
    const call = make.call(at, tool, {});
    const recorded: Block = traits === null ? call : { ...call, meta: { ...call.meta, traits } };
    const file = make.blockOf(at, "react.tool.result", `fi:${turn}.files/a.md`, { mime: "text/plain", text: "Tea" });
    const blocks = [make.prompt(turn, "Tea?"), recorded, make.result(at, "w".repeat(6_000)), file];
    timeline.contribute([make.header(turn), ...blocks, make.completion(turn, "Tea.")]);
  }
  timeline.setMeta({ cache_last_touch_at: 1_000 });
  return timeline;
}

function prunedCount(timeline: Timeline): number {
  timeline.prune({ now: 9_000 });
  return timeline.state.window.filter(({ overlay }) => overlay !== null).length;
}

describe("the traits of a call", () => {
  it("the traits of a call that its block records decide what is pruned, whatever the name of the tool", () => {
    expect(prunedCount(withCalls("shop.find", null))).toBe(0);
    expect(prunedCount(withCalls("shop.find", { bulky: true }))).toBe(3);
    expect(prunedCount(withCalls("web_tools.web_fetch", null))).toBe(3);
    expect(prunedCount(withCalls("web_tools.web_fetch", {}))).toBe(0);
  });

  it("the traits of a call that its block records decide how a summary lists its files and results", () => {
    const digestOf = (traits: JsonObject | null) =>
      withCalls("shop.find", traits).planCompaction({ maxTokens: 20_000 }, true)?.digest;
    expect(digestOf(null)).toMatchObject({ files: [], exec_outputs: [] });
    expect(digestOf(null)?.results.length).toBeGreaterThan(0);
    expect(digestOf({ refers: true, files: "written" })).toMatchObject({ results: [], exec_outputs: [] });
    expect(digestOf({ refers: true, files: "written" })?.files).toContain("fi:turn_1.files/a.md");
    expect(digestOf({ files: "output" })?.exec_outputs).toContain("fi:turn_1.files/a.md");
  });

  it("have no effect where they are not of the declared form", () => {
    const odd = { bulky: "yes", files: 7, showsAgain: 1, rows: [], report: {}, label: null };
    const timeline = withCalls("shop.find", odd);
    expect(timeline.state.atPath("fi:turn_1.files/a.md")[0]?.version).toBe(1);
    expect(timeline.planCompaction({ maxTokens: 20_000 }, true)?.digest).toMatchObject({ files: [], exec_outputs: [] });
    expect(prunedCount(timeline)).toBe(0);
  });
});
