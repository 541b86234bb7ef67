import {
  applyReceipt,
  type MessageBlock,
  makeReceipt,
  sentRequestOf,
  Timeline,
  type TimelineDeps,
} from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { make } from "../conversation/index.ts";
import "./index.ts";

const deps: TimelineDeps = {
  clock: { now: () => 1_770_603_272_000 },
  countTokens: (text) => Math.ceil(text.length / 4),
};

const blocks: MessageBlock[] = ["one", "two", "three"].map((text) => ({ type: "text", text }));
const edited = blocks.with(1, { type: "text", text: "2" });
const system = "Be brief.";

function talk(): Timeline {
  const timeline = Timeline.create(deps);
  timeline.contribute([make.header("turn_1"), make.prompt("turn_1", "Hello")]);
  return timeline;
}

describe("toExtendPrefix", () => {
  it("accepts views and compares their stable part", () => {
    const timeline = talk();
    timeline.announce([{ type: "react.announce", text: "[ANNOUNCE] 10:15" }]);
    const first = timeline.render({ includeAnnounce: true });
    timeline.contribute([make.completion("turn_1", "Hi")]);
    timeline.announce([{ type: "react.announce", text: "[ANNOUNCE] 10:16" }]);
    const second = timeline.render({ includeAnnounce: true });
    expect(second).toExtendPrefix(first);
    expect(first).not.toExtendPrefix(second);
  });

  it("accepts lists of message blocks and ignores cache marks", () => {
    expect(blocks.map((block) => ({ ...block, cache: true as const }))).toExtendPrefix(blocks.slice(0, 2));
    expect(edited).not.toExtendPrefix(blocks);
  });

  it("accepts described requests, including tools and system text", () => {
    const first = sentRequestOf(blocks, { system, tools: [{ name: "read" }] });
    expect(sentRequestOf(blocks, { system, tools: [{ name: "read" }] })).toExtendPrefix(first);
    expect(sentRequestOf(blocks, { system: `${system} `, tools: [{ name: "read" }] })).not.toExtendPrefix(first);
    expect(sentRequestOf(blocks, { system, tools: [] })).not.toExtendPrefix(first);
  });

  it("accepts chains of receipts", () => {
    const timeline = talk();
    const facts = { tools: [], startedAt: 1, resets: [], tokens: { tools: 0, system: 1, stable: 1, tail: 0 } };
    const first = applyReceipt(null, makeReceipt(timeline.render(), { ...facts, system }, null));
    timeline.contribute([make.completion("turn_1", "Hi")]);
    const next = (text: string) =>
      applyReceipt(first, makeReceipt(timeline.render(), { ...facts, system: text }, first));
    expect(next(system)).toExtendPrefix(first);
    expect(next("Be long.")).not.toExtendPrefix(first);
    expect(next("Be long.")).toExtendPrefix(first, { resets: ["system_changed"] });
  });

  it("fails on an undeclared difference with its explanation", () => {
    expect(() => expect(edited).toExtendPrefix(blocks)).toThrow(
      'Undeclared change of the prefix at block 1: Block 1 (two) changed: "two" became "2".\n  before: "two"\n  after:  "2"',
    );
    const [a, b] = ["09:14", "09:15"].map((now) => sentRequestOf(blocks, { system: `Now: ${now}` }));
    expect(() => expect(b).toExtendPrefix(a ?? [])).toThrow(/at the system text: .* a clock in the prefix/);
    const [read, write] = ["read", "write"].map((name) => sentRequestOf(blocks, { tools: [{ name }] }));
    expect(() => expect(write).toExtendPrefix(read ?? [])).toThrow("at tool 0 (read): Tool read was removed.");
  });

  it("accepts a difference that a declared reset explains, by its name or in full", () => {
    expect(edited).toExtendPrefix(blocks, { resets: ["hide"] });
    expect(edited).toExtendPrefix(blocks, { resets: [{ cause: "ttl_prune", blocks: 1 }] });
    expect(sentRequestOf(edited, { resets: [{ cause: "hide" }] })).toExtendPrefix(sentRequestOf(blocks));
    expect(edited).not.toExtendPrefix(blocks, { resets: ["tools_changed"] });
  });

  it("does not let a declared difference hide another one", () => {
    const first = sentRequestOf(blocks, { system });
    const second = sentRequestOf(edited, { system: "Be long.", resets: [{ cause: "system_changed" }] });
    expect(second).not.toExtendPrefix(first);
    expect(second).toExtendPrefix(first, { resets: ["hide"] });
    expect(() => expect(second).not.toExtendPrefix(first, { resets: ["hide"] })).toThrow("(system_changed, hide)");
  });

  it.each([undefined, null, 7, "text", {}, [7], [null]])("rejects a value that is not a request: %j", (value) => {
    expect(() => expect(value).toExtendPrefix(blocks)).toThrow("the value is none of them");
    expect(() => expect(blocks).toExtendPrefix(value as never)).toThrow("the argument is none of them");
  });
});
