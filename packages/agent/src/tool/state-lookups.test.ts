import { make } from "@cairn/testkit/conversation";
import { Timeline } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { resolveWithMeta, stateLookups } from "./state-lookups.ts";

const BLOB = `sha256:${"a".repeat(64)}` as const;
const at = { turn: "turn_1", call: "tc_1", iteration: 1 };

function timelineWith(): Timeline {
  const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens: (text) => text.length });
  timeline.contribute([
    make.header("turn_1"),
    make.prompt("turn_1", "Go"),
    make.call({ turn: "turn_1", call: "tc_0", iteration: 0 }, "a.b", {}),
  ]);
  timeline.contribute([
    make.call(at, "react.write", {}),
    ...make.file(at, { name: "a.md", mime: "text/markdown", text: "one" }),
  ]);
  return timeline;
}

describe("lookups of tools in a timeline", () => {
  it("gives an artifact with the meta of the block that holds it", () => {
    const { state } = timelineWith();
    expect(resolveWithMeta(state, "turn_1/files/a.md")).toMatchObject({
      path: "fi:turn_1.files/a.md",
      text: "one",
      meta: { hosted_uri: expect.any(String), digest: { artifact_path: "fi:turn_1.files/a.md" } },
    });
    expect(resolveWithMeta(state, "fi:turn_1.files/b.md")).toBeNull();
  });

  it("gives no sealed reasoning", () => {
    const timeline = timelineWith();
    const pieces = [{ text: "Hm.", options: { anthropic: { signature: "s" } }, after: 0 }];
    const meta = { sources_used: [1], reasoning: { model: "m", pieces } };
    timeline.contribute([{ ...make.completion("turn_1", "Yes."), meta }]);
    const found = resolveWithMeta(timeline.state, "ar:turn_1.assistant.completion");
    expect(found?.meta).toEqual({ sources_used: [1] });
  });

  it("treats content as in view if a block without overlay has the same path and the same text or bytes", () => {
    const timeline = timelineWith();
    timeline.contribute([
      {
        type: "user.attachment",
        turn_id: "turn_1",
        path: "fi:turn_1.user.attachments/a.pdf",
        mime: "application/pdf",
        meta: { blob: BLOB },
      },
    ]);
    const { isVisible, visible } = stateLookups(timeline.state);
    expect(isVisible("fi:turn_1.files/a.md", "one")).toBe(true);
    expect(isVisible("fi:turn_1.files/a.md", "two")).toBe(false);
    expect(isVisible("fi:turn_1.user.attachments/a.pdf", { blob: BLOB })).toBe(true);
    expect(visible("fi:turn_1.files/a.md@v1")).toMatchObject({ path: "fi:turn_1.files/a.md@v1", text: "one" });
    timeline.hide({ paths: ["fi:turn_1.files/a.md"], replacement: "x", editableTailTokens: 9_999 });
    expect(isVisible("fi:turn_1.files/a.md", "one")).toBe(false);
    expect(visible("fi:turn_1.files/a.md")).toBeNull();
    const read = { turn: "turn_1", call: "tc_2", iteration: 2 };
    timeline.contribute([
      make.call(read, "react.read", {}),
      make.blockOf(read, "react.tool.result", "fi:turn_1.files/a.md", { text: "one" }),
    ]);
    expect(visible("fi:turn_1.files/a.md")).toMatchObject({ text: "one", version: 1 });
  });

  it("can refer to a patched file, although its text is not in view", () => {
    const timeline = timelineWith();
    const patch = { turn: "turn_1", call: "tc_2", iteration: 2 };
    timeline.contribute([
      make.call(patch, "react.patch", {}),
      ...make.file(patch, { name: "a.md", mime: "text/markdown", text: "two" }),
    ]);
    const { isVisible, visible } = stateLookups(timeline.state);
    expect(isVisible("fi:turn_1.files/a.md", "two")).toBe(false);
    expect(visible("fi:turn_1.files/a.md")).toMatchObject({ text: "two" });
  });

  it("can refer to a clipped file, although its text is not in view", () => {
    const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens: (text) => text.length });
    const text = "a line of text\n".repeat(500);
    timeline.contribute(make.file({ turn: "turn_1", call: "tc_1" }, { name: "a.md", mime: "text/markdown", text }));
    timeline.clip({ maxTokens: 2_000 });
    const { isVisible, visible } = stateLookups(timeline.state);
    expect(isVisible("fi:turn_1.files/a.md", text)).toBe(false);
    expect(visible("fi:turn_1.files/a.md")).toMatchObject({ text });
  });

  it("finds plans by id, the latest snapshot first, and files by the blocks and digests that name them", () => {
    const timeline = timelineWith();
    const plan = (steps: string[]) => ({
      type: "react.plan",
      turn_id: "turn_1",
      text: JSON.stringify({ plan_id: "p", steps, closed: true }),
    });
    timeline.contribute([
      plan(["a"]),
      plan(["a", "b"]),
      { type: "react.plan", text: "broken" },
      ...make.attachment("turn_1", { name: "x.txt", mime: "text/plain" }),
    ]);
    const { plan: find, files } = stateLookups(timeline.state);
    expect(find("p")).toMatchObject({ steps: ["a", "b"] });
    expect(find("q")).toBeNull();
    expect(find()).toBeNull();
    expect(files()).toEqual(["turn_1/files/a.md", "turn_1/attachments/x.txt"]);
  });

  it("finds open plans and files that a compaction covered", () => {
    const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens: (text) => text.length });
    const digest = {
      open_plans: [{ plan_id: "p", steps: ["a"], status: {} }],
      artifacts: [{ path: "fi:turn_0.files/old.md" }, null, { path: 3 }, { path: "fi:../x" }],
    };
    timeline.contribute([
      {
        type: "conv.range.summary",
        turn_id: "turn_1",
        path: "su:turn_1.conv.range.summary",
        text: "s",
        meta: { compaction_digest: digest },
      },
    ]);
    const { plan, files } = stateLookups(timeline.state);
    expect(plan("p")?.steps).toEqual(["a"]);
    expect(files()).toEqual(["turn_0/files/old.md"]);
  });
});
