/** Tests what the native lowering sends for calls that are hidden, cut, late or lost, and for reasoning. */
import { make } from "@cairn/testkit/conversation";
import { expect, it } from "vitest";
import type { Block } from "../../block/block.ts";
import { Timeline } from "../../timeline.ts";
import { lowerView } from "./lower-view.ts";
import { NATIVE_1 } from "./lowering.ts";
import type { WireBlock } from "./wire-request.ts";

const deps = { clock: { now: () => 0 }, countTokens: (text: string) => Math.ceil(text.length / 4) };
const at = { turn: "turn_1", call: "tc_1", iteration: 1 };
const opening = [make.header("turn_1"), make.prompt("turn_1", "Go")];

function sent(timeline: Timeline, model?: string): WireBlock[] {
  const input = { tools: [], system: "", lowering: NATIVE_1, ...(model === undefined ? {} : { reasoningOf: model }) };
  const { blocks } = lowerView(timeline.render(), input, "anthropic");
  return blocks.filter(({ kind }) => kind !== "system");
}

function timelineOf(...blocks: readonly Block[]): Timeline {
  const timeline = Timeline.create(deps);
  timeline.contribute([...opening, ...blocks]);
  return timeline;
}

const callsIn = (blocks: readonly WireBlock[]) => blocks.flatMap(({ part }) => (part.type === "call" ? [part] : []));
const resultsIn = (blocks: readonly WireBlock[]) =>
  blocks.flatMap(({ part }) =>
    part.type === "result" ? [part.content.map((each) => (each.type === "text" ? each.text : each.type)).join("")] : [],
  );
const reasoned = (model: string): Block => {
  const made = make.call(at, "look", { n: 1 });
  const pieces = [{ text: "Hm.", options: { anthropic: { signature: "s" } }, after: 0 }];
  return { ...made, meta: { ...made.meta, reasoning: { model, pieces } } };
};

it("a hidden call keeps its pair, with the replacement in its result", () => {
  const timeline = timelineOf(make.call(at, "look", { n: 1 }), make.result(at, "seen", "text/plain"));
  timeline.hide({ paths: ["tc:turn_1.tc_1.call"], replacement: "an old look" });
  const blocks = sent(timeline);
  expect(callsIn(blocks)).toMatchObject([{ id: "tc_1", name: "look", input: {} }]);
  expect(resultsIn(blocks)[0]).toMatch(/^HIDDEN — an old look.*\n\n\[TOOL RESULT tc_1\]/s);
});

it("a call whose results are all hidden keeps a result", () => {
  const timeline = timelineOf(make.call(at, "look", {}), make.result(at, "seen", "text/plain"));
  timeline.hide({ paths: ["tc:turn_1.tc_1.result"], replacement: "gone" });
  expect(resultsIn(sent(timeline))).toEqual([expect.stringContaining("HIDDEN — gone")]);
});

it("code is sent in the parameters of its call, and a cut parameter as a reference", () => {
  const made = make.call(at, "write", { path: "x.md", content: "beginning..." });
  const cut: Block = { ...made, meta: { ...made.meta, cut_params: { content: "fi:turn_1.files/x.md" } } };
  const other = { ...at, call: "tc_2" };
  const timeline = timelineOf(cut, make.code(other, "print(1)"), make.call(other, "run", { name: "p" }));
  expect(callsIn(sent(timeline)).map(({ input }) => input)).toEqual([
    { path: "x.md", content: "ref:fi:turn_1.files/x.md" },
    { name: "p", code: "print(1)" },
  ]);
});

it("code is sent in the parameter that the call names, and in no other", () => {
  const made = make.call(at, "query", { sql: "select 1" });
  const timeline = timelineOf(make.code(at, "select 1"), { ...made, meta: { ...made.meta, code_param: "sql" } });
  expect(callsIn(sent(timeline)).map(({ input }) => input)).toEqual([{ sql: "select 1" }]);
});

it("a result that comes after its call was given up is the user's text", () => {
  const timeline = timelineOf(make.call(at, "look", {}), make.prompt("turn_1", "Well?", 2));
  timeline.contribute([make.result(at, "late", "text/plain")]);
  const blocks = sent(timeline);
  expect(resultsIn(blocks)).toEqual([expect.stringContaining("tool_interrupted")]);
  expect(blocks.at(-1)).toMatchObject({ role: "user", part: { text: expect.stringContaining("late") } });
});

it("the same id in two turns is sent as two ids, and the first stays as it is", () => {
  const again = { ...at, turn: "turn_2" };
  const timeline = timelineOf(make.call(at, "look", {}), make.result(at, "a", "text/plain"));
  timeline.contribute([make.header("turn_2"), make.call(again, "look", {}), make.result(again, "b", "text/plain")]);
  const [first, second] = callsIn(sent(timeline)).map(({ id }) => id);
  expect(first).toBe("tc_1");
  expect(second).toMatch(/^tc_[0-9a-f]{24}$/);
});

it("reasoning precedes its call, goes to its own model only, and goes when the call is hidden", () => {
  const timeline = timelineOf(make.notes(at, "I look."), reasoned("m"), make.result(at, "seen", "text/plain"));
  const types = (model?: string) => sent(timeline, model).map(({ part }) => part.type);
  expect(types("m")).toEqual(["text", "reasoning", "text", "call", "result"]);
  expect(types("other")).toEqual(["text", "text", "call", "result"]);
  expect(types()).toEqual(["text", "text", "call", "result"]);
  timeline.hide({ paths: ["tc:turn_1.tc_1.call"], replacement: "gone" });
  expect(types("m")).toEqual(["text", "text", "call", "result"]);
});

it("an answer never ends with reasoning", () => {
  const piece = (text: string, after: number) => ({ text, options: { anthropic: { signature: text } }, after });
  const pieces = [piece("a", 0), piece("b", 5), piece("c", 8), piece("d", 9)];
  const answer = make.completion("turn_1", "Yes, it.\n");
  const timeline = timelineOf({ ...answer, meta: { reasoning: { model: "m", pieces } } });
  const shown = sent(timeline, "m").flatMap(({ part, role }) =>
    role === "assistant" && "text" in part ? [[part.type, part.text]] : [],
  );
  expect(shown).toEqual([
    ["reasoning", "a"],
    ["text", "Yes, "],
    ["reasoning", "b"],
    ["text", "it.\n"],
  ]);
});

it("the interruption of an unsettled call is in its result and not again in the tail", () => {
  const blocks = sent(timelineOf(make.call(at, "look", {})));
  expect(resultsIn(blocks)).toEqual([expect.stringContaining("tool_interrupted")]);
  expect(JSON.stringify(blocks.map(({ part }) => part)).split("tool_interrupted")).toHaveLength(2);
});

it("reasoning leaves the timeline neither in a payload nor in a rendered view", () => {
  const timeline = timelineOf(reasoned("m"), make.result(at, "seen", "text/plain"));
  expect(JSON.stringify(timeline.payload())).not.toContain("signature");
  expect(JSON.stringify(timeline.render().messages())).not.toContain("Hm.");
});
