import { anyCharacter } from "@cairn/testkit/any-character";
import { make } from "@cairn/testkit/conversation";
import { growthOnDoubling } from "@cairn/testkit/growth";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DeclaredReset, ResetCause } from "../cache/reset.ts";
import { makeEvent } from "../event/codec.ts";
import type { TimelineEvent } from "../event/event.ts";
import type { MessageBlock } from "../message/message.ts";
import { applyEvent } from "../state/apply.ts";
import { Timeline, type TimelineDeps } from "../timeline.ts";
import { cacheMisses, explainCacheMiss } from "./explain-cache-miss.ts";
import { makeReceipt } from "./make-receipt.ts";
import { applyReceipt } from "./request-chain.ts";
import { type RequestParts, type SentRequest, sentRequestOf } from "./sent-request.ts";

const deps: TimelineDeps = {
  clock: { now: () => 1_770_603_272_000 },
  countTokens: (text) => Math.ceil(text.length / 4),
};

const search = { name: "search", description: "Searches.", schema: { type: "object", properties: { n: {} } } };
const read = { name: "read", description: "Reads.", schema: { type: "object" } };
const tools = [read, search];
const system = "You are a careful researcher. Answer in English.";

const text = (value: string): MessageBlock => ({ type: "text", text: `${value}\n\n` });
const alphabet = ["[USER MESSAGE]\nalpha", "beta", "gamma", "delta"].map(text);

function sent(blocks: readonly MessageBlock[], parts: RequestParts = {}): SentRequest {
  return sentRequestOf(blocks, { tools, system, ...parts });
}

function declared(...causes: ResetCause[]): { resets: DeclaredReset[] } {
  return { resets: causes.map((cause) => ({ cause })) };
}

/** The explanation when block 1 changes from one text to another. */
function change(before: string, after: string) {
  const first = text("same");
  return explainCacheMiss(sent([first, text(before)]), sent([first, text(after), text("new")]));
}

/** A turn of three rounds, and a later request after `event` and another round. */
function aroundEvent(event: (timeline: Timeline) => TimelineEvent, resets: readonly DeclaredReset[]) {
  const timeline = Timeline.create(deps);
  timeline.contribute([make.header("turn_1"), make.prompt("turn_1", "Hello")]);
  const round = (nth: number) => {
    const at = { turn: "turn_1", call: `tc_${nth}`, iteration: nth };
    timeline.contribute([make.call(at, "web_tools.web_fetch", { nth }), make.result(at, `Page ${nth}`, "text/plain")]);
  };
  for (const nth of [1, 2, 3]) round(nth);
  const before = timeline.render().messages();
  applyEvent(timeline.state, event(timeline));
  round(4);
  return explainCacheMiss(sent(before), sent(timeline.render().messages(), { resets }));
}

const cover = (position: number, replacement: string) => ({
  groups: [{ positions: [position], anchor: position, replacement }],
});

function compactBefore(cut: number) {
  return ({ state }: Timeline) => {
    const path = "su:turn_1.conv.range.summary";
    const summary = { type: "conv.range.summary", turn_id: "turn_1", path, text: "Pages were fetched." };
    const body = { cut, position: state.nextPosition, summary, tokens: 9, version: 0 };
    return makeEvent("compaction.committed", body);
  };
}

describe("a declared reset is named with the first block that differs", () => {
  it("hide", () => {
    const event = () => makeEvent("blocks.hidden", cover(5, "page 2 is not needed"));
    expect(aroundEvent(event, [{ cause: "hide", blocks: 1 }])).toMatchObject({
      at: { part: "block", index: 5 },
      cause: "hide",
      detail: expect.stringContaining("Block 5 ([TOOL RESULT tc_2].result web_tools.web_fetch) changed"),
      after: expect.stringContaining("HIDDEN — "),
    });
  });

  it("TTL pruning", () => {
    const event = () => makeEvent("blocks.pruned", { by: "ttl", ...cover(3, "[TRUNCATED] Page 1") });
    expect(aroundEvent(event, [{ cause: "ttl_prune" }])).toMatchObject({
      at: { part: "block", index: 3 },
      cause: "ttl_prune",
    });
  });

  it("turn-boundary pruning", () => {
    const event = () => makeEvent("blocks.pruned", { by: "policy", ...cover(7, "[TRUNCATED] Page 3") });
    expect(aroundEvent(event, [{ cause: "turn_prune" }])).toMatchObject({
      at: { part: "block", index: 7 },
      cause: "turn_prune",
    });
  });

  it("compaction", () => {
    expect(aroundEvent(compactBefore(4), [{ cause: "compaction", blocks: 4 }])).toMatchObject({
      at: { part: "block", index: 0 },
      cause: "compaction",
      after: expect.stringContaining("[CONVERSATION SUMMARY]"),
    });
  });

  it("changed tools", () => {
    const after = sent(alphabet, { tools: [read], ...declared("tools_changed") });
    expect(explainCacheMiss(sent(alphabet), after)).toMatchObject({
      at: { part: "tools", index: 1, name: "search" },
      cause: "tools_changed",
      detail: "Tool search was removed.",
    });
  });

  it("changed system text", () => {
    const after = sent(alphabet, { system: "Answer in French.", ...declared("system_changed") });
    expect(explainCacheMiss(sent(alphabet), after)).toMatchObject({
      at: { part: "system", index: 0 },
      cause: "system_changed",
    });
  });

  it("of several causes, the visible one, or else the one that reaches furthest back", () => {
    const resets = declared("hide", "ttl_prune", "compaction").resets;
    const hide = () => makeEvent("blocks.hidden", cover(5, "gone"));
    const prune = () => makeEvent("blocks.pruned", { by: "ttl", ...cover(3, "[TRUNCATED]") });
    expect(aroundEvent(hide, resets)).toMatchObject({
      cause: "hide",
      also: [{ cause: "compaction" }, { cause: "ttl_prune" }],
    });
    expect(aroundEvent(compactBefore(4), resets)).toMatchObject({
      cause: "compaction",
      also: [{ cause: "ttl_prune" }, { cause: "hide" }],
    });
    expect(aroundEvent(prune, declared("hide", "ttl_prune").resets)?.cause).toBe("ttl_prune");
  });
});

describe("an undeclared difference is explained", () => {
  const cases: [string, SentRequest, { index: number; name?: string }, string][] = [
    ["tool order", sent(alphabet, { tools: [search, read] }), { index: 0, name: "search" }, "order of the tools"],
    [
      "a changed schema",
      sent(alphabet, { tools: [read, { ...search, schema: { type: "object", properties: { n: {}, m: {} } } }] }),
      { index: 1, name: "search" },
      "The schema of tool search changed",
    ],
    [
      "a changed description",
      sent(alphabet, { tools: [{ ...read, description: "Reads a file." }, search] }),
      { index: 0, name: "read" },
      "The description of tool read changed",
    ],
    [
      "a re-encoded tool",
      sent(alphabet, { tools: [{ description: read.description, schema: read.schema, name: "read" }, search] }),
      { index: 0, name: "read" },
      "The definition of tool read changed: re-encoded: the same JSON",
    ],
    [
      "a tool added",
      sent(alphabet, { tools: [...tools, { name: "write" }] }),
      { index: 2, name: "write" },
      "Tool write was added",
    ],
    ["a tool removed", sent(alphabet, { tools: [search] }), { index: 0, name: "read" }, "Tool read was removed"],
    [
      "an edited system text",
      sent(alphabet, { system: system.replace("English", "French") }),
      { index: 0 },
      'edited: "…searcher. Answer in English." became "…searcher. Answer in French."',
    ],
    ["a block removed", sent(alphabet.toSpliced(1, 1)), { index: 1 }, "1 block was removed at block 1 (beta)"],
    [
      "a block inserted",
      sent(alphabet.toSpliced(1, 0, text("x"))),
      { index: 1 },
      "1 block was inserted before block 1",
    ],
    [
      "blocks reordered",
      sent([0, 2, 1, 3].map((at) => alphabet[at] ?? text(""))),
      { index: 1 },
      "reordered: block 1 (beta) is now block 2",
    ],
    [
      "a prefix shortened",
      sent(alphabet.slice(0, 2)),
      { index: 2 },
      "shortened: it ends before block 2 (gamma), 2 of 4",
    ],
    ["everything gone", sent([]), { index: 0 }, "shortened: it ends before block 0 ([USER MESSAGE])"],
  ];

  it.each(cases)("%s", (_, after, at, detail) => {
    const miss = explainCacheMiss(sent(alphabet), after);
    expect(miss).toMatchObject({ at, cause: "undeclared", detail: expect.stringContaining(detail) });
  });

  it("an edited block, with the place of the edit", () => {
    const long = "x".repeat(500);
    expect(change(`${long}the old word${long}`, `${long}the new word${long}`)).toMatchObject({
      at: { part: "block", index: 1 },
      cause: "undeclared",
      before: `…${"x".repeat(16)}the old word${"x".repeat(32)}…`,
      after: `…${"x".repeat(16)}the new word${"x".repeat(32)}…`,
    });
  });

  it.each([
    ["Today is 2026-02-09.", "Today is 2026-02-10.", '"2026-02-09." became "2026-02-10."'],
    ["It is 10:59:58 now", "It is 11:00:02 now", '"10:59:58" became "11:00:02"'],
    ["at 2026-02-09T02:14:32Z by 02:15", "at 2026-02-09T02:14:59Z by 02:16", "2026-02-09T02:14:32Z"],
    ["Mon, 9 February", "Tue, 10 February", '"Mon" became "Tue"'],
    ["epoch 1770603272.5", "epoch 1770603299.1", "1770603272.5"],
  ])("a clock in the prefix: %s", (before, after, words) => {
    expect(change(before, after)?.detail).toContain("a clock in the prefix");
    expect(change(before, after)?.detail).toContain(words);
  });

  it("a clock in the system text", () => {
    const [before, after] = ["09:14", "09:15"].map((now) => sent(alphabet, { system: `${system} Now: ${now}` }));
    if (before === undefined || after === undefined) throw new Error("no requests");
    expect(explainCacheMiss(before, after)).toMatchObject({
      at: { part: "system", index: 0 },
      detail: 'The system text was edited: a clock in the prefix: "09:14" became "09:15".',
    });
  });

  it("a number that moved", () => {
    expect(change("tokens left: 9,999", "tokens left: 10,012")?.detail).toContain(
      'a number that moved: "9" became "10"',
    );
  });

  it.each([
    ["line ends", "a\r\nb", "a\nb", "other line ends"],
    ["Unicode form", "caf\u00e9", "cafe\u0301", "Unicode normal form"],
    ["white space", "a  b", "a b", "other white space"],
    ["key order", 'Params:\n{"a":1,"b":[2]}', 'Params:\n{"b":[2],"a":1}', "the same JSON"],
    ["escapes", '[TOOL RESULT x]\n{"a":"é"}', '[TOOL RESULT x]\n{"a":"\\u00e9"}', "the same JSON"],
    ["numbers", "[1.0,2]", "[1,2]", "the same JSON"],
  ])("a re-encoded block: %s", (_, before, after, detail) => {
    expect(change(before, after)?.detail).toContain(detail);
    expect(change(before, after)?.detail).toContain("re-encoded");
  });

  it("a picture whose bytes changed, and a picture that became text", () => {
    const picture = (data: string): MessageBlock => ({ type: "image", media_type: "image/png", data });
    const before = sent([picture("QUJD")]);
    expect(explainCacheMiss(before, sent([picture("QUJE")]))?.detail).toBe("Block 0 (image image/png) changed.");
    expect(explainCacheMiss(before, sent([text("gone")]))?.detail).toContain("image became text");
    expect(explainCacheMiss(before, sent([{ ...picture("QUJD"), cache: true }]))).toBeNull();
  });
});

describe("a declared cause explains only its own part", () => {
  const edited = alphabet.with(1, text("edited"));
  it.each<[ResetCause, SentRequest]>([
    ["tools_changed", sent(edited, declared("tools_changed"))],
    ["system_changed", sent(edited, declared("system_changed"))],
    ["system_changed", sent(alphabet, { tools: [read], ...declared("system_changed") })],
    ["tools_changed", sent(alphabet, { system: "", ...declared("tools_changed") })],
    ...(["hide", "ttl_prune", "turn_prune", "compaction"] as const).flatMap((cause): [ResetCause, SentRequest][] => [
      [cause, sent(alphabet, { tools: [read], ...declared(cause) })],
      [cause, sent(alphabet, { system: "", ...declared(cause) })],
    ]),
    ["constructor" as ResetCause, sent(edited, declared("constructor" as ResetCause))],
  ])("%s elsewhere is undeclared", (_, after) => {
    expect(explainCacheMiss(sent(alphabet), after)?.cause).toBe("undeclared");
  });

  it("a declared difference in the tools does not hide an undeclared one in a block", () => {
    const after = sent(edited, { tools: [read], ...declared("tools_changed") });
    expect([...cacheMisses(sent(alphabet), after)].map(({ cause, at }) => [at.part, cause])).toEqual([
      ["tools", "tools_changed"],
      ["block", "undeclared"],
    ]);
  });
});

describe("explainCacheMiss", () => {
  it("names the first difference, and every cause that coincides with it", () => {
    const after = sent(alphabet.with(1, text("HIDDEN — gone")), {
      tools: [read],
      system: "Answer in French.",
      ...declared("tools_changed", "hide", "ttl_prune"),
    });
    const miss = explainCacheMiss(sent(alphabet), after);
    expect(miss).toMatchObject({ cause: "tools_changed", at: { part: "tools" } });
    expect(miss?.also.map(({ cause }) => cause)).toEqual(["undeclared", "hide", "ttl_prune"]);
    expect(miss?.also[0]?.detail).toContain("The system text was edited");
  });

  it("returns nothing when one request extends the other, whatever was declared", () => {
    expect(explainCacheMiss(sent(alphabet), sent([...alphabet, text("more")]))).toBeNull();
    expect(explainCacheMiss(sent([]), sent(alphabet))).toBeNull();
    expect(explainCacheMiss(sent(alphabet), sent(alphabet, declared("hide", "tools_changed")))).toBeNull();
  });

  it("works on receipts alone, without any text", () => {
    const timeline = Timeline.create(deps);
    timeline.contribute([make.header("turn_1"), make.prompt("turn_1", "Hello"), make.completion("turn_1", "Hi")]);
    const facts = { tools, system, startedAt: 1, tokens: { tools: 1, system: 1, stable: 1, tail: 1 } };
    const first = applyReceipt(null, makeReceipt(timeline.render(), { ...facts, resets: [] }, null));
    applyEvent(timeline.state, makeEvent("blocks.hidden", cover(1, "gone")));
    const follow = (more: object) => {
      const receipt = makeReceipt(timeline.render(), { ...facts, resets: [], ...more }, first);
      return explainCacheMiss(first, applyReceipt(first, receipt));
    };
    const at = { part: "block", index: 1 };
    expect(follow(declared("hide"))).toEqual({ at, cause: "hide", detail: "Block 1 changed.", also: [] });
    expect(follow({ tools: [{ ...read, schema: {} }, search] })).toMatchObject({
      at: { part: "tools", index: 0, name: "read" },
      detail: "The definition of tool read changed.",
    });
    expect(follow({ system: "x" })).toMatchObject({ at: { part: "system" }, detail: "The system text was edited." });
  });

  it("names the first block that differs in any two lists of any texts", () => {
    const list = fc.array(fc.string({ unit: anyCharacter, maxLength: 30 }), { maxLength: 8 });
    fc.assert(
      fc.property(list, list, list, (common, before, after) => {
        const [a, b] = [before, after].map((rest) => [...common, ...rest].map((each) => each.toWellFormed()));
        if (a === undefined || b === undefined) throw new Error("no lists");
        const first = a.findIndex((each, at) => each !== b[at]);
        const miss = explainCacheMiss(sent(a.map(text)), sent(b.map(text)));
        expect(miss?.at.index ?? -1).toBe(first);
        expect(miss?.detail.isWellFormed() ?? true).toBe(true);
      }),
      { numRuns: runs },
    );
  });

  it.each([
    ["digits", "1", "2"],
    ["brackets", "[", "{"],
    ["lines that start like JSON", "\n[", "\n{"],
    ["white space", " \n", "\t\r\n"],
    ["names of months", "may ", "mar "],
  ])("takes time in proportion to the texts: %s", (_, unit, other) => {
    const requests = (size: number) => [
      sent([text(`[${unit.repeat(size)}`)]),
      sent([text(`[${unit.repeat(size)}${other}`)]),
    ];
    const run = ([a, b]: SentRequest[]) => a !== undefined && b !== undefined && explainCacheMiss(a, b);
    expect(growthOnDoubling(requests, run, 20_000)).toBeLessThan(3);
  });

  it("explains deeply nested JSON without running out of stack", () => {
    const nested = (inner: string) => `${'{"a":'.repeat(5_000)}${inner}${"}".repeat(5_000)}`;
    expect(change(nested('{"x":1,"y":2}'), nested('{"y":2,"x":1}'))?.detail).toContain("the same JSON");
    expect(change("[".repeat(1_000_000), `${"[".repeat(999_999)}{`)?.detail).toContain("became");
  });
});
