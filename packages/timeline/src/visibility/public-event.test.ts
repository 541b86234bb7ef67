/** Tests what people may see of blocks and events, including those of earlier versions, which record no visibility. */
import { make } from "@cairn/testkit/conversation";
import { costlyRuns } from "@cairn/testkit/runs";
import { journalScripts, scriptEvents } from "@cairn/testkit/store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Block } from "../block/block.ts";
import { decodeEvent, makeEvent } from "../event/codec.ts";
import { emptyView } from "../view/conversation-view.ts";
import { viewEvents } from "../view/view-event.ts";
import { isPublic, publicBlock } from "./public-block.ts";
import { publicEvent } from "./public-event.ts";

const SECRET = "zanzibar";
const at = { turn: "turn_1", call: "tc_a", iteration: 1 };
const call = (tool: string, params: object, meta: object = {}): Block => {
  const block = make.call(at, tool, params);
  return { ...block, meta: { ...block.meta, ...meta } };
};
const result = (text: string, more: Partial<Block> = {}): Block => ({
  type: "react.tool.result",
  turn_id: "turn_1",
  path: "tc:turn_1.tc_a.result",
  mime: "application/json",
  text,
  ...more,
  meta: { tool_call_id: "tc_a", ...more.meta },
});
const paramsOf = (block: Block) => JSON.parse(publicBlock(block).text ?? "").params;

describe("the public view of a block", () => {
  it.each<[string, Block]>([
    ["an internal note", { type: "react.note", turn_id: "turn_1", path: `fi:turn_1.files/${SECRET}.md`, text: SECRET }],
    ["a block of the internal channel", result(SECRET, { meta: { channel: "internal" } })],
    [
      "an internal file",
      result(SECRET, { path: "fi:turn_1.files/a.md", meta: { digest: { visibility: "internal" } } }),
    ],
    [
      "its digest",
      result(JSON.stringify({ artifact_path: `fi:turn_1.files/${SECRET}.md`, kind: "file", visibility: "internal" })),
    ],
    ["a raw decision", { type: "react.decision.raw", text: SECRET, meta: { unfinished: { text: SECRET } } }],
    [
      "a summary",
      { type: "conv.range.summary", path: "su:turn_1.conv.range.summary", text: SECRET, meta: { prose: SECRET } },
    ],
    ["a summary that was read again", result(SECRET, { path: "su:turn_1.conv.range.summary" })],
    ["what states that it is internal", result(SECRET, { meta: { visibility: "internal" } })],
    ["the diff of a patch that states nothing", result(`-${SECRET}`, { mime: "text/x-diff" })],
    [
      "a patch that was read again",
      result(`${SECRET}\n{"path":"turn_1/files/a.md","ok":true}`, { path: "tc:turn_1.tc_b.result" }),
    ],
    ["a part of what was read again", result(SECRET, { path: "tc:turn_1.tc_b.result", meta: { lines: { from: 2 } } })],
    [
      "an internal write that was read again",
      result(`{"tool_id":"react.write","params":{"content":"${SECRET}"}}`, { path: "tc:turn_1.tc_b.call" }),
    ],
    [
      "the failure of a patch that states nothing",
      result(JSON.stringify({ tool_id: "react.patch", error: { code: "patch_failed", message: SECRET } })),
    ],
    ["a call with parameters that are internal", call("react.patch", { patch: SECRET }, { visibility: "internal" })],
    ["a patch that states nothing", call("react.patch", { path: "a.md", patch: SECRET })],
    ["an internal write", call("react.write", { path: `${SECRET}.md`, content: SECRET, channel: "internal" })],
    ["a write whose channel is still to be bound", call("react.write", { content: SECRET, channel: "ref:fi:a" })],
    ["a mixed result that is no JSON", result(SECRET, { meta: { visibility: "mixed" } })],
  ])("shows only that it exists: %s", (_, block) => {
    const shown = publicBlock(block);
    expect(JSON.stringify(shown)).not.toContain(SECRET);
    expect(isPublic(block)).toBe(false);
    expect([shown.type, shown.turn_id]).toEqual([block.type, block.turn_id]);
    expect(publicBlock(shown)).toEqual(shown);
  });

  it.each<[string, Block]>([
    ["a standing order", { type: "react.note", text: "Metric units.", meta: { directive: true } }],
    ["notes of a decision", { type: "react.notes", text: "I look." }],
    ["a write", call("react.write", { path: "a.md", content: "Tea", channel: "canvas" })],
    ["a patch that is external", call("react.patch", { path: "a.md", patch: "@@" }, { visibility: "external" })],
    ["its diff", result("-a", { mime: "text/x-diff", meta: { visibility: "external" } })],
    ["a file", result("Tea", { path: "fi:turn_1.files/a.md", meta: { digest: { visibility: "external" } } })],
    [
      "rows of a search, whose digest is internal",
      result(JSON.stringify({ artifact_path: "so:sources_pool[1-2]", kind: "file", visibility: "internal" })),
    ],
    ["another tool's own list of visibilities", result('{"files":[{"name":"a","visibility":"internal"}]}')],
    ["another call's result that was read again", result("Tea", { path: "tc:turn_1.tc_b.result" })],
    ["a type nobody knows", { type: "shop.order", text: "Tea" }],
  ])("shows all of it: %s", (_, block) => {
    expect(publicBlock(block)).toBe(block);
  });

  it("shows the path of a patch without a channel, and the channel of an internal write", () => {
    expect(paramsOf(call("react.patch", { path: "a.md", patch: SECRET }))).toEqual({ path: "a.md" });
    expect(paramsOf(call("react.write", { path: "a.md", content: SECRET, channel: "internal" }))).toEqual({
      channel: "internal",
    });
  });

  it("shows search results except internal items, by their marks or, in old journals, by their types", () => {
    const hits = [
      { path: "fi:a", type: "react.note", turn_id: "turn_1", excerpt: SECRET },
      { path: "ar:b", type: "user.prompt", turn_id: "turn_1", excerpt: "Tea" },
    ];
    expect(JSON.parse(publicBlock(result(JSON.stringify({ hits }))).text ?? "")).toEqual({ hits: hits.slice(1) });
    const files = [
      { path: "fi:a", physical_path: "a", matches: [{ line: 1, text: SECRET }], visibility: "internal" },
      { path: "fi:b", physical_path: "b", matches: [{ line: 1, text: "Tea" }] },
    ];
    const text = JSON.stringify({ files });
    const marked = publicBlock(result(text, { meta: { visibility: "mixed" } }));
    expect(JSON.parse(marked.text ?? "")).toEqual({ files: files.slice(1) });
    expect(publicBlock(result(text)).text).not.toMatch(/zanzibar|Tea/);
  });
});

describe("the public view of an event", () => {
  const ts = "2026-02-09T02:14:32.000Z";
  const about = { turn_id: "turn_1", call_id: "tc_a", ts };

  it("has no internal or bound parameters, no notes on hidden blocks, no hashes and no unknown body", () => {
    const params = { content: SECRET, channel: "internal" };
    const group = { positions: [1], anchor: 1, replacement: SECRET };
    const events = [
      makeEvent("call.started", { ...about, tool_id: "react.write", params }),
      makeEvent("call.started", { ...about, tool_id: "shop.send", params: { words: SECRET }, bound: true }),
      makeEvent("approval.requested", { ...about, tool_id: "react.write", params }),
      makeEvent("blocks.hidden", { groups: [group] }),
      makeEvent("blocks.pruned", { by: "ttl", groups: [group] }),
      makeEvent("model.receipt", { started_at: 1, n: 1, added: [SECRET], decision: SECRET }),
      decodeEvent({ kind: "comet.seen", v: 1, body: { text: SECRET } }),
    ];
    for (const event of events) expect(JSON.stringify(publicEvent(event))).not.toContain(SECRET);
  });

  it("includes the parameters that a person is asked to approve", () => {
    const asked = makeEvent("approval.requested", {
      ...about,
      tool_id: "shop.send",
      params: { words: "Hi" },
      bound: true,
    });
    expect(publicEvent(asked)).toEqual(asked);
  });

  it("is idempotent, and gives the same view as the event", () => {
    fc.assert(
      fc.property(journalScripts(2), (script) => {
        const events = scriptEvents(script);
        const shown = events.map(publicEvent);
        expect(shown.map(publicEvent)).toEqual(shown);
        const numbered = (list: typeof events) => list.map((event, nth) => ({ seq: nth + 1, event }));
        expect(viewEvents(numbered(shown), emptyView())).toEqual(viewEvents(numbered(events), emptyView()));
      }),
      { numRuns: costlyRuns },
    );
  });
});
