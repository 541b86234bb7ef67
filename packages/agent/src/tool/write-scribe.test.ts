import type { Block, HideRequest, SourceInput } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { createScribe } from "./write-scribe.ts";

function scribeOn(log: unknown[]) {
  return createScribe({
    timeline: {
      contribute: (blocks: readonly Block[]) => void log.push(...blocks),
      mergeSources: (rows: readonly SourceInput[]) => {
        log.push("merged");
        return rows.map((_, at) => at + 1);
      },
      hide: (request: HideRequest) => {
        log.push(`hid ${request.paths}`);
        return { status: "ok", code: null, refused: null, blocks_hidden: 1, tokens_hidden: 2 };
      },
    },
    turnId: "turn_1",
    callId: "tc_1",
    toolId: "shop.find",
    iteration: 4,
    now: () => 0,
  });
}

describe("the block writer of a call", () => {
  it("puts notices before results and gives every block its call, turn and iteration", () => {
    const log: unknown[] = [];
    const { scribe, finish } = scribeOn(log);
    scribe.digest({ artifact_path: "fi:turn_1.files/a.md", edited: undefined });
    scribe.content("fi:turn_1.files/a.md", { mime: "text/plain", text: "a", meta: { key: "k", rn: undefined } });
    scribe.notice("shop.slow", "It was slow.", { seconds: 3 });
    scribe.block({ type: "react.note", text: "n", meta: { channel: "internal" } });
    expect(log).toEqual([]);
    expect(finish()).toBe("ok");
    const common = { author: "react", turn_id: "turn_1" };
    const meta = { tool_call_id: "tc_1", iteration: 4 };
    expect(log).toEqual([
      {
        ...common,
        type: "react.notice",
        path: "tc:turn_1.tc_1.notice",
        mime: "application/json",
        text: '{"code":"shop.slow","message":"It was slow.","seconds":3}',
        meta,
      },
      {
        ...common,
        type: "react.tool.result",
        path: "tc:turn_1.tc_1.result",
        mime: "application/json",
        text: '{"artifact_path":"fi:turn_1.files/a.md","tool_call_id":"tc_1"}',
        meta,
      },
      {
        ...common,
        type: "react.tool.result",
        path: "fi:turn_1.files/a.md",
        mime: "text/plain",
        text: "a",
        meta: { ...meta, key: "k" },
      },
      { ...common, type: "react.note", text: "n", meta: { ...meta, channel: "internal" } },
    ]);
  });

  it("changes the pool and overlays at once, because the results contain their answers", () => {
    const log: unknown[] = [];
    const { scribe } = scribeOn(log);
    expect(scribe.mergeSources([{ url: "https://a" }, { url: "https://b" }])).toEqual([1, 2]);
    expect(scribe.hide({ paths: ["ar:turn_1.user.prompt"], replacement: "x" }).blocks_hidden).toBe(1);
    expect(log).toEqual(["merged", "hid ar:turn_1.user.prompt"]);
  });

  it("writes a digest that has only an error as the error of its tool", () => {
    const log: Block[] = [];
    const { scribe, finish } = scribeOn(log);
    scribe.digest({ error: { code: "x", message: "y" } });
    expect(finish()).toBe("error");
    expect(log[0]?.text).toBe(
      '{"tool_id":"shop.find","tool_call_id":"tc_1","error":{"code":"x","message":"y"},"ts":"1970-01-01T00:00:00.000Z"}',
    );
  });

  it("keeps an error short enough to be read back as an error", () => {
    const log: Block[] = [];
    const { scribe, finish } = scribeOn(log);
    scribe.result("dropped", "text/plain");
    scribe.fail({ code: "x", message: "y", data: "z".repeat(100_000) });
    finish();
    expect(log).toHaveLength(1);
    expect(log[0]?.text).toContain('"error":{"code":"x","message":"y"}');
  });

  it("refuses an unstorable block when it is written, so that no batch is lost later", () => {
    const { scribe } = scribeOn([]);
    expect(() => scribe.block({ type: "" })).toThrow("`type`");
    expect(() => scribe.block({ type: "x", text: 3 } as unknown as Block)).toThrow("`text`");
  });
});
