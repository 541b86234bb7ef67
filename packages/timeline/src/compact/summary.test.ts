import { make } from "@cairn/testkit/conversation";
import { describe, expect, it } from "vitest";
import { deps, types, withTurns } from "../../test/with-turns.ts";
import type { Block } from "../block/block.ts";
import { findActivePlan } from "../state/active-plan.ts";
import { Timeline } from "../timeline.ts";

const summaryOf = (timeline: Timeline) => timeline.state.window[0]?.block;

describe("a summary", () => {
  const compacted = (timeline: Timeline, prose: string | null = "Goal: eat well.") => {
    const plan = timeline.planCompaction({ maxTokens: 20_000 }, true);
    if (plan === null) throw new Error("nothing to cut");
    return { plan, report: timeline.commitCompaction(plan, { summary: prose, prefix: "Asked twice." }) };
  };

  it("is placed at the cut with the digest first and the prose second, and names the blocks it covers", () => {
    const timeline = withTurns(4, 500);
    const { report } = compacted(timeline);
    const summary = summaryOf(timeline);
    expect(summary).toMatchObject({ type: "conv.range.summary", path: "su:turn_4.conv.range.summary" });
    const text = summary?.text ?? "";
    expect(text.indexOf("ar:turn_1.user.prompt")).toBeLessThan(text.indexOf("Goal: eat well."));
    expect(report.before_tokens - report.after_tokens).toBe(report.compacted_tokens);
    expect(report.after_tokens).toBe(timeline.visibleTokens());
    const { before_tokens, after_tokens } = report;
    const committed = timeline.takeEvents().find(({ kind }) => kind === "compaction.committed");
    expect(committed?.body).toMatchObject({ before_tokens, after_tokens });
    expect(timeline.payload().blocks[0]).toBe(summary);
    expect(timeline.payload().turn_ids).toEqual(["turn_1", "turn_2", "turn_3", "turn_4"]);
  });

  it("summarises the beginning of a split turn separately", () => {
    const timeline = Timeline.create(deps);
    timeline.contribute([make.header("turn_1"), make.prompt("turn_1", "q".repeat(3_000))]);
    const at = { turn: "turn_1", call: "c" };
    timeline.contribute([make.call(at, "x", {}), make.result(at, "r".repeat(400))]);
    compacted(timeline);
    expect(summaryOf(timeline)?.meta).toMatchObject({ covered_turn_ids: [], split_turn_id: "turn_1" });
    expect(summaryOf(timeline)?.text).toContain("**Turn Context (split turn):**\nAsked twice.");
  });

  it("is the digest alone without a model, and stays within a tenth of the window", () => {
    const timeline = withTurns(60, 300, (turn) =>
      make.file({ turn, call: `c-${turn}` }, { name: "f.md", mime: "text/markdown", text: "x" }),
    );
    compacted(timeline, null);
    expect(summaryOf(timeline)?.text?.length).toBeLessThanOrEqual(2_000);
    compacted(timeline, "p".repeat(50_000));
    expect(summaryOf(timeline)?.text?.length).toBeLessThanOrEqual(2_000);
  });

  it("returns its whole digest when it is read by its path", () => {
    const timeline = withTurns(60, 300);
    const { plan } = compacted(timeline, null);
    expect(summaryOf(timeline)?.text).not.toContain("ar:turn_1.user.prompt");
    const read = timeline.resolve("su:turn_60.conv.range.summary")?.text ?? "";
    for (const turn of plan.coveredTurns) expect(read).toContain(`ar:${turn}.user.prompt`);
  });

  it("absorbs an earlier summary: one remains, turns are unions, both versions keep their path", () => {
    const timeline = withTurns(8, 500);
    compacted(timeline);
    const first = timeline.takeEvents().find((event) => event.kind === "compaction.committed");
    compacted(timeline, "Goal: later.");
    expect(types(timeline).filter((type) => type === "conv.range.summary")).toHaveLength(1);
    const second = timeline.takeEvents().find((event) => event.kind === "compaction.committed");
    expect([first, second].map((event) => (event?.body as { version: number } | undefined)?.version)).toEqual([1, 2]);
    const covered = summaryOf(timeline)?.meta?.covered_turn_ids as string[];
    expect(covered.slice(0, 3)).toEqual(["turn_1", "turn_2", "turn_3"]);
    expect(new Set(covered).size).toBe(covered.length);
  });

  it("drops no directive, and shows them before anything else", () => {
    const timeline = Timeline.create(deps);
    for (let nth = 1; nth <= 30; nth++) {
      const wish =
        nth <= 10
          ? `Never suggest number ${nth}, whatever anybody else may say about how good it is supposed to be.`
          : "Go on.";
      timeline.contribute([
        make.header(`turn_${nth}`),
        make.prompt(`turn_${nth}`, wish),
        make.completion(`turn_${nth}`, "x".repeat(900)),
      ]);
    }
    const plan = timeline.planCompaction({ maxTokens: 30_000 });
    if (plan === null) throw new Error("nothing to cut");
    timeline.commitCompaction(plan, { summary: "p".repeat(5_000), prefix: null });
    for (let nth = 1; nth <= 10; nth++) expect(summaryOf(timeline)?.text).toContain(`Never suggest number ${nth},`);
  });

  it("keeps the union of its digests, and carries earlier prose on when there is no new one", () => {
    const timeline = withTurns(12, 400, (turn) =>
      make.file({ turn, call: `c-${turn}` }, { name: "f.md", mime: "text/markdown", text: "x" }),
    );
    compacted(timeline, "MARKER ONE");
    const listed = () => {
      const digest = summaryOf(timeline)?.meta?.compaction_digest as { artifacts: unknown[] } | undefined;
      return digest?.artifacts.length ?? 0;
    };
    const first = listed();
    compacted(timeline, null);
    expect(listed()).toBeGreaterThan(first);
    expect(summaryOf(timeline)?.text).toContain("MARKER ONE");
    expect(summaryOf(timeline)?.text).toContain("su:turn_12.conv.range.summary@v1");
  });

  it("loses nothing of a summary that was written without a digest", () => {
    const timeline = Timeline.create(deps);
    const old = {
      type: "conv.range.summary",
      turn_id: "turn_0",
      path: "su:turn_0.conv.range.summary",
      text: "They like apples.",
    };
    timeline.contribute([{ ...old, meta: { covered_turn_ids: ["turn_0"] } }]);
    for (let nth = 1; nth <= 6; nth++)
      timeline.contribute([
        make.header(`turn_${nth}`),
        make.prompt(`turn_${nth}`, "q".repeat(600)),
        make.completion(`turn_${nth}`, "a"),
      ]);
    compacted(timeline, null);
    expect(summaryOf(timeline)?.text).toContain("They like apples.");
    expect(summaryOf(timeline)?.text).toContain("su:turn_0.conv.range.summary@v1");
    expect(summaryOf(timeline)?.meta?.covered_turn_ids).toContain("turn_0");
  });

  it("keeps an open plan announced, and a closed one closed", () => {
    const plan = (status: object, closed?: true) => ({
      plan_id: "p",
      steps: ["find", "draft"],
      status,
      ...(closed ? { closed } : {}),
    });
    const snapshot = (turn: string, value: object): Block => ({
      type: "react.plan",
      turn_id: turn,
      path: `ar:${turn}.react.plan.p`,
      text: JSON.stringify(value),
    });
    const timeline = withTurns(4, 500, (turn) => (turn === "turn_1" ? [snapshot(turn, plan({ "1": "done" }))] : []));
    compacted(timeline);
    expect(findActivePlan(timeline.state)).toMatchObject({ plan_id: "p", status: { "1": "done" } });
    timeline.contribute([snapshot("turn_5", plan({}, true))]);
    expect(findActivePlan(timeline.state)).toBeNull();
    timeline.contribute([
      make.header("turn_6"),
      make.prompt("turn_6", "q".repeat(3_000)),
      make.completion("turn_6", "a"),
    ]);
    compacted(timeline);
    expect(findActivePlan(timeline.state)).toBeNull();
  });

  it("keeps directives word for word, notes, hidden blocks with their note, searches, files and cited sources", () => {
    const at = { turn: "turn_1", call: "s1" };
    const timeline = Timeline.create(deps);
    timeline.mergeSources([1, 2, 3].map((n) => ({ url: `https://example.com/${n}` })));
    timeline.contribute([
      make.header("turn_1"),
      make.prompt("turn_1", "Find food. Never suggest chains. Thanks."),
      ...make.search(at, "food wuppertal", [1, 2, 3], "1-3"),
      { type: "react.note", turn_id: "turn_1", text: "[D] use TheFork" },
      ...make.file(
        { turn: "turn_1", call: "w1" },
        { name: "list.md", mime: "text/markdown", text: "x", extra: { sources_used: [2] } },
      ),
    ]);
    timeline.hide({ paths: ["fi:turn_1.files/list.md"], replacement: "the list" });
    timeline.contribute([
      make.completion("turn_1", "See [[S:1]]."),
      make.header("turn_2"),
      make.prompt("turn_2", "q".repeat(900)),
    ]);
    compacted(timeline, null);
    const text = summaryOf(timeline)?.text ?? "";
    for (const kept of [
      "Never suggest chains.",
      "[D] use TheFork",
      "fi:turn_1.files/list.md: the list",
      '"food wuppertal"',
      "so:sources_pool[1-2]",
      "tc:turn_1.s1.result",
    ])
      expect(text).toContain(kept);
    expect(summaryOf(timeline)?.meta?.compaction_digest).toMatchObject({
      artifacts: [
        {
          path: "fi:turn_1.files/list.md",
          version: 1,
          mime: "text/markdown",
          visibility: "external",
          sources_used: [2],
        },
      ],
      cited_sids: [1, 2],
    });
  });

  it("lists the sources that the latest version of a file cites, which may be none", () => {
    const timeline = Timeline.create(deps);
    timeline.mergeSources([1, 2, 3].map((n) => ({ url: `https://example.com/${n}` })));
    const write = (call: string, name: string, extra: Readonly<Record<string, unknown>>) => {
      const at = { turn: "turn_1", call };
      timeline.contribute([
        make.call(at, "react.write", {}),
        ...make.file(at, { name, mime: "text/markdown", text: call, extra }),
      ]);
    };
    timeline.contribute([make.header("turn_1"), make.prompt("turn_1", "Write.")]);
    write("w1", "dropped.md", { sources_used: [1] });
    write("w2", "dropped.md", {});
    write("w3", "other.md", { sources_used: [1, 2] });
    write("w4", "other.md", { sources_used: [3] });
    // A read adds a digest of the version that exists, and no new version.
    const read = { turn: "turn_1", call: "r1" };
    timeline.contribute([
      make.call(read, "react.read", {}),
      make.result(read, "{}"),
      make.digest(read, { artifact_path: "fi:turn_1.files/other.md", mime: "text/markdown" }),
    ]);
    timeline.contribute([
      make.completion("turn_1", "Done."),
      make.header("turn_2"),
      make.prompt("turn_2", "q".repeat(900)),
    ]);
    compacted(timeline, null);
    expect(summaryOf(timeline)?.meta?.compaction_digest).toMatchObject({
      artifacts: [
        { path: "fi:turn_1.files/dropped.md", version: 2, sources_used: [] },
        { path: "fi:turn_1.files/other.md", version: 2, sources_used: [3] },
      ],
      cited_sids: [3],
    });
  });
});
