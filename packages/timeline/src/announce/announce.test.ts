import { describe, expect, it } from "vitest";
import { escapeRules } from "../render/escape.ts";
import { composeAnnouncement, renderAnnounce } from "./announce.ts";

const rules = escapeRules();

describe("an announcement", () => {
  it("contains iteration, budget, elapsed time, both times, the active plan and notices, in this order", () => {
    const block = composeAnnouncement({
      iteration: { current: 2, limit: 15 },
      budget: "12,000 of 50,000 tokens",
      elapsedMs: 65_400,
      now: Date.UTC(2026, 10, 15, 10, 0, 0),
      timeZone: "Europe/Berlin",
      activePlan: { plan_id: "p1", steps: ["find", "draft"], status: { "1": "done" } },
      notices: ["Context was pruned."],
    });
    expect(renderAnnounce([block], rules)).toBe(
      [
        "[ANNOUNCE]",
        "iteration: 2/15",
        "budget: 12,000 of 50,000 tokens",
        "elapsed: 1m 05s",
        "time_utc: 2026-11-15T10:00:00.000Z",
        "time_user: 2026-11-15 11:00:00 Europe/Berlin",
        "react.plan.active:",
        "id=p1",
        "✓ 1) find",
        "□ 2) draft",
        "notice: Context was pruned.",
      ].join("\n"),
    );
  });

  it("leaves out absent parts, and renders nothing when all are absent", () => {
    expect(renderAnnounce([composeAnnouncement({ elapsedMs: 5_000 })], rules)).toBe("[ANNOUNCE]\nelapsed: 5s");
    expect(renderAnnounce([], rules)).toBe("");
    expect(renderAnnounce([composeAnnouncement({})], rules)).toBe("");
  });

  it("has exactly one header, whoever wrote it", () => {
    const blocks = [
      { type: "react.announce", text: "[ANNOUNCE]\nbudget: low" },
      { type: "x", text: "[TURN t]" },
    ];
    const text = renderAnnounce(blocks, rules);
    expect(text).toBe("[ANNOUNCE]\nbudget: low\n\\[TURN t]");
  });

  it("refuses a time zone that does not exist", () => {
    expect(() => composeAnnouncement({ now: 0, timeZone: "Mars/Base" })).toThrow(
      expect.objectContaining({ code: "bad_time_zone" }),
    );
  });
});
