import { make } from "@cairn/testkit/conversation";
import { describe, expect, it } from "vitest";
import type { Block } from "../block/block.ts";
import { Timeline } from "../timeline.ts";

const deps = { clock: { now: () => 0 }, countTokens: (text: string) => text.length };
const LONG = "w".repeat(6_000);

/** `count` turns, each with a prompt, what `extra` adds, and an answer. */
function withTurns(count: number, extra: (turn: string) => readonly Block[] = () => []): Timeline {
  const timeline = Timeline.create(deps);
  for (let nth = 1; nth <= count; nth++) {
    const turn = `turn_${nth}`;
    timeline.contribute([make.header(turn), make.prompt(turn, LONG), ...extra(turn), make.completion(turn, "done")]);
  }
  timeline.setMeta({ cache_last_touch_at: 1_000 });
  return timeline;
}

const replacementOf = (timeline: Timeline, path: string) =>
  timeline.state.atPath(path)[0]?.overlay?.replacement ?? null;
const hiddenPaths = (timeline: Timeline) =>
  timeline.state.window.filter((entry) => entry.overlay !== null).map((entry) => entry.block.path);

describe("the TTL rule", () => {
  it.each([
    ["arms when the timeline was never sent", null, 5_000, 300, false],
    ["touches within the TTL less the buffer", 1_000, 1_289, 300, false],
    ["prunes from the buffer on", 1_000, 1_290, 300, true],
    ["is off at 0", 1_000, 99_999, 0, false],
    ["is off at null", 1_000, 99_999, null, false],
  ])("%s", (_, touched, now, ttl, prunes) => {
    const timeline = withTurns(12);
    timeline.setMeta({ cache_last_touch_at: touched });
    const { resets } = timeline.prune({ now, session: { cache_ttl_seconds: ttl } });
    expect(resets.length > 0).toBe(prunes);
    expect(timeline.state.meta.cache_last_touch_at).toBe(ttl ? now : touched);
  });

  it("uses the stored TTL on the first render after a load, unless pruning is off", () => {
    const stored = () => {
      const timeline = withTurns(12);
      timeline.setMeta({ cache_last_ttl_seconds: 1_800 });
      return timeline;
    };
    expect(stored().prune({ now: 1_400, firstRender: true }).resets).toEqual([]);
    expect(stored().prune({ now: 1_400, firstRender: false }).resets).toHaveLength(1);
    expect(stored().prune({ now: 9_999, firstRender: true, session: { cache_ttl_seconds: 0 } }).resets).toEqual([]);
    const late = stored();
    late.prune({ now: 9_999, firstRender: true });
    expect(late.state.meta.cache_last_ttl_seconds).toBe(300);
    expect(late.state.window.at(-1)?.block.text).toContain("session TTL (1800s)");
  });

  it("is reported once on the timeline and once in the announcement, and does nothing the next time", () => {
    const timeline = withTurns(12);
    const { notices } = timeline.prune({ now: 2_000 });
    const message = timeline.state.window.at(-1)?.block;
    expect(message).toMatchObject({ type: "system.message", meta: { kind: "cache_ttl_pruned", ttl_seconds: 300 } });
    expect(notices).toEqual([message?.text]);
    const last = timeline.render().messages().at(-1);
    expect(last?.type === "text" && last.text).toMatch(
      /^\[SYSTEM MESSAGE\] Context was pruned because the session TTL \(300s\) was exceeded\.\nUse react\.read\(path\)/,
    );
    expect(timeline.prune({ now: 9_000 })).toEqual({ resets: [], notices: [] });
  });

  it("reports nothing when there was nothing to prune", () => {
    const timeline = withTurns(2);
    expect(timeline.prune({ now: 9_000 })).toEqual({ resets: [], notices: [] });
    expect(timeline.state.window.some((entry) => entry.block.type === "system.message")).toBe(false);
  });
});

describe("a turn older than the recent ones", () => {
  const call = (turn: string) => ({ turn, call: `c-${turn}` });

  it("is replaced block by block, and no other turn is", () => {
    const timeline = withTurns(12);
    timeline.prune({ now: 9_000 });
    expect(hiddenPaths(timeline)).toEqual(["ar:turn_1.user.prompt", "ar:turn_2.user.prompt"]);
    expect(replacementOf(timeline, "ar:turn_1.user.prompt")).toBe(
      `[TRUNCATED] ar:turn_1.user.prompt\n${LONG.slice(0, 3_963)}...`,
    );
  });

  it("keeps its header, summaries, internal notes and short texts", () => {
    const timeline = withTurns(12, (turn) => [{ type: "react.note", turn_id: turn, text: LONG }]);
    timeline.prune({ now: 9_000 });
    expect(hiddenPaths(timeline)).toEqual(["ar:turn_1.user.prompt", "ar:turn_2.user.prompt"]);
  });

  it("shows files by path, type and size", () => {
    const timeline = withTurns(12, (turn) =>
      make.file(call(turn), { name: "a.png", mime: "image/png", base64: "A".repeat(8_000) }),
    );
    timeline.prune({ now: 9_000 });
    expect(replacementOf(timeline, "fi:turn_1.files/a.png")).toBe(
      "[TRUNCATED FILE] path=fi:turn_1.files/a.png mime=image/png size=6000",
    );
  });

  it("shows calls and results as JSON with shortened fields, and never cuts a reference", () => {
    const ref = `ref:${"x".repeat(2_000)}`;
    const params = { text: LONG, from: ref, list: Array.from({ length: 60 }, (_, i) => (i === 59 ? "ref:last" : i)) };
    const timeline = withTurns(12, (turn) => [
      make.call(call(turn), "mcp.a.b", params),
      make.result(call(turn), JSON.stringify({ a: LONG })),
    ]);
    timeline.prune({ now: 9_000 });
    const shortCall = replacementOf(timeline, "tc:turn_1.c-turn_1.call") ?? "";
    const [first, json = ""] = shortCall.split("\n");
    expect(first).toBe("[TRUNCATED] tc:turn_1.c-turn_1.call");
    expect(JSON.parse(json).params).toEqual({
      text: `${"w".repeat(997)}...`,
      from: ref,
      list: [...Array.from({ length: 50 }, (_, i) => i), "ref:last", "... 9 more"],
    });
    expect(replacementOf(timeline, "tc:turn_1.c-turn_1.result")).toBe(
      `[TRUNCATED] tc:turn_1.c-turn_1.result\n{"a":"${"w".repeat(997)}..."}`,
    );
  });

  it("is cut further, field by field, when many fields together are too long", () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, "v".repeat(900)]));
    const timeline = withTurns(12, (turn) => [
      make.call(call(turn), "mcp.a.b", {}),
      make.result(call(turn), JSON.stringify(many)),
    ]);
    timeline.prune({ now: 9_000 });
    const json = replacementOf(timeline, "tc:turn_1.c-turn_1.result")?.split("\n")[1] ?? "";
    expect(json.length).toBeLessThanOrEqual(4_000);
    expect(Object.keys(JSON.parse(json))[0]).toBe("k0");
  });

  it("shows search rows by SID, address, title and 400 characters", () => {
    const rows = JSON.stringify([{ sid: 1, url: "https://a.com", title: "A", text: LONG, author: "x" }]);
    const timeline = withTurns(12, (turn) => [
      make.blockOf(call(turn), "react.tool.result", "so:sources_pool[1]", { text: rows }),
    ]);
    timeline.prune({ now: 9_000 });
    expect(replacementOf(timeline, "so:sources_pool[1]")).toBe(
      `[TRUNCATED] so:sources_pool[1]\n[{"sid":1,"url":"https://a.com","title":"A","text":"${"w".repeat(397)}..."}]`,
    );
  });

  it("never shows content that the model could not see before", () => {
    const timeline = withTurns(12, (turn) => [{ type: "react.thinking", turn_id: turn, text: LONG }]);
    timeline.prune({ now: 9_000 });
    expect(
      timeline.state.window
        .filter((entry) => entry.block.type === "react.thinking")
        .every((entry) => entry.overlay === null),
    ).toBe(true);
  });

  it("does not overwrite blocks that the agent hid", () => {
    const timeline = withTurns(1);
    timeline.hide({ paths: ["ar:turn_1.user.prompt"], replacement: "mine", editableTailTokens: 99_999 });
    for (let nth = 2; nth <= 12; nth++)
      timeline.contribute([make.header(`turn_${nth}`), make.prompt(`turn_${nth}`, LONG)]);
    timeline.prune({ now: 9_000 });
    expect(replacementOf(timeline, "ar:turn_1.user.prompt")).toBe("mine");
  });
});

describe("a recent turn that is not intact", () => {
  const at = (turn: string) => ({ turn, call: `c-${turn}` });

  it("loses only large search, fetch and memory-search results", () => {
    const timeline = withTurns(4, (turn) => [
      make.call(at(turn), "web_tools.web_fetch", {}),
      make.result(at(turn), JSON.stringify({ u: { content: LONG } })),
    ]);
    timeline.prune({ now: 9_000 });
    expect(hiddenPaths(timeline)).toEqual(["tc:turn_1.c-turn_1.result", "tc:turn_2.c-turn_2.result"]);
    const other = withTurns(4, (turn) => [
      make.call(at(turn), "mcp.a.b", {}),
      make.result(at(turn), LONG, "text/plain"),
    ]);
    other.prune({ now: 9_000 });
    expect(hiddenPaths(other)).toEqual([]);
  });

  it("never loses a small picture", () => {
    const timeline = withTurns(8, (turn) =>
      make.file(at(turn), { name: "a.png", mime: "image/png", base64: "A".repeat(100) }),
    );
    expect(timeline.prune({ now: 9_000 }).resets).toEqual([]);
  });

  it("counts the current turn as recent before it has a block", () => {
    const bulky = (turn: string) => [
      make.call(at(turn), "web_tools.web_fetch", {}),
      make.result(at(turn), JSON.stringify({ u: { content: LONG } })),
    ];
    const timeline = withTurns(3, bulky);
    timeline.prune({ now: 9_000, turnId: "turn_4" });
    expect(hiddenPaths(timeline)).toEqual(["tc:turn_1.c-turn_1.result", "tc:turn_2.c-turn_2.result"]);
  });

  it("keeps the two newest pictures and PDFs, including those of the intact turns", () => {
    const timeline = withTurns(5, (turn) =>
      make.file(at(turn), { name: "a.pdf", mime: "application/pdf", base64: "A".repeat(9_000) }),
    );
    timeline.prune({ now: 9_000 });
    expect(hiddenPaths(timeline)).toEqual([1, 2, 3].map((nth) => `fi:turn_${nth}.files/a.pdf`));
  });

  it("leaves the intact turns unchanged even if an old turn has one of their paths", () => {
    const shared = (turn: string) => [
      make.blockOf(at(turn), "react.tool.result", "so:sources_pool[1]", {
        text: JSON.stringify([{ sid: 1, text: LONG }]),
      }),
    ];
    const timeline = withTurns(12, shared);
    timeline.prune({ now: 9_000 });
    const entries = timeline.state.atPath("so:sources_pool[1]");
    expect(entries.map((entry) => entry.overlay !== null)).toEqual([
      true,
      true,
      ...Array.from({ length: 10 }, () => false),
    ]);
  });
});
