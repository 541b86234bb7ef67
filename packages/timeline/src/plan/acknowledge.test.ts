import { anyCharacter } from "@cairn/testkit/any-character";
import { growthOnDoubling } from "@cairn/testkit/growth";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { acknowledgePlan } from "./acknowledge.ts";
import type { PlanSnapshot } from "./plan.ts";

const plan = (status: Record<string, string> = {}): PlanSnapshot => ({
  plan_id: "p1",
  steps: ["find", "draft", "send"],
  status,
});

describe("acknowledgePlan", () => {
  test("a marked step changes, the rest of the snapshot stays as it is", () => {
    const before = { ...plan(), created_ts: "t0", owner: "x" };
    expect(acknowledgePlan(before, "✓ [1] find\nnow drafting")).toEqual({
      plan: { ...before, status: { "1": "done" } },
      ack: "✓ 1. find",
    });
  });

  test.each([
    ["✓", "done", "✓"],
    ["✗", "failed", "✗"],
    ["…", "in_progress", "…"],
    ["→", "in_progress", "…"],
  ])("%s means %s and is written %s", (mark, status, written) => {
    const { plan: after, ack } = acknowledgePlan(plan(), `${mark} [2]`);
    expect(after.status).toEqual({ "2": status });
    expect(ack).toBe(`${written} 2. draft`);
  });

  test("□ sets a step back to pending", () => {
    expect(acknowledgePlan(plan({ "1": "done" }), "□ 1. again")).toEqual({
      plan: plan({ "1": "pending" }),
      ack: "□ 1. find",
    });
  });

  test.each(["✓ [1]", "✓ 1.", "✓ 1)", "✓1)", "✓[1]find", "\t ✓\t 1. find", "text\r\n✓ 1. find\r\nmore", "✓ 001)"])(
    "%j acknowledges step 1",
    (notes) => {
      expect(acknowledgePlan(plan(), notes).ack).toBe("✓ 1. find");
    },
  );

  test.each([
    "",
    "1. find ✓",
    "✓ find",
    "✓ 1",
    "✓ 1 find",
    "✓ 1.5 seconds",
    "- ✓ 1. find",
    "so ✓ [1]",
    "✓ [1",
    "✓ (1)",
    "✓ [-1]",
    "✔ [1]",
    "✓\n[1]",
    "✓ [0]",
    "✓ [4]",
    "✓ [99999999999999999999999]",
    `✓ ${"9".repeat(100_000)}.`,
    "✓ [１]",
    "□ [1]",
  ])("%.40j changes nothing", (notes) => {
    const before = plan();
    const { plan: after, ack } = acknowledgePlan(before, notes);
    expect(after).toBe(before);
    expect(ack).toBeNull();
  });

  test("the last of several lines for a step is used", () => {
    expect(acknowledgePlan(plan(), "✓ [1]\n✗ [1]").ack).toBe("✗ 1. find");
    expect(acknowledgePlan(plan(), "✓ [1]\n□ [1]").ack).toBeNull();
  });

  test("changed steps are listed in step order, and unchanged ones are not listed", () => {
    const { ack } = acknowledgePlan(plan({ "2": "done" }), "→ 3)\n✓ 2.\n✓ 1.");
    expect(ack).toBe("✓ 1. find\n… 3. send");
  });

  test("a step of several lines is acknowledged on one", () => {
    expect(acknowledgePlan({ plan_id: "p", steps: ["a\n✓ 2. b"], status: {} }, "✓ 1.").ack).toBe("✓ 1. a ✓ 2. b");
  });

  test("a time is recorded only if it is given and a step changed", () => {
    expect(acknowledgePlan(plan(), "✓ 1.", "2026-01-01T00:00:00Z").plan.last_ts).toBe("2026-01-01T00:00:00Z");
    expect(acknowledgePlan(plan(), "none", "2026-01-01T00:00:00Z").plan).toEqual(plan());
  });

  test("a status keyed __proto__ is carried as plain data", () => {
    const before = { ...plan(), status: JSON.parse('{"__proto__":"done"}') };
    const after = acknowledgePlan(before, "✓ 1.").plan;
    expect(JSON.stringify(after.status)).toBe('{"1":"done","__proto__":"done"}');
  });

  const line = fc.tuple(
    fc.constantFrom("✓", "✗", "□", "…", "→", "-", ""),
    fc.constantFrom(" ", "", "\t"),
    fc.nat(5),
    fc.constantFrom(".", ")", "]", ""),
  );
  const notes = fc.array(line).map((lines) => lines.map((parts) => parts.join("")).join("\n"));
  const start = fc.dictionary(fc.constantFrom("1", "2", "3"), fc.constantFrom("done", "failed", "pending", "odd"));

  test("acknowledging the same notes again changes nothing", () => {
    fc.assert(
      fc.property(start, fc.oneof(notes, fc.string({ unit: anyCharacter })), (status, text) => {
        const once = acknowledgePlan(plan(status), text).plan;
        expect(acknowledgePlan(once, text)).toEqual({ plan: once, ack: null });
      }),
      { numRuns: runs },
    );
  });

  test("the ack text, read as notes, makes the same change", () => {
    fc.assert(
      fc.property(start, notes, (status, text) => {
        const { plan: after, ack } = acknowledgePlan(plan(status), text);
        if (ack !== null) expect(acknowledgePlan(plan(status), ack)).toEqual({ plan: after, ack });
      }),
      { numRuns: runs },
    );
  });

  test.each(["✓ 1", " ", "✓ [1]\n", "\n", "✓ 1)"])("time grows linearly on repeated %j", (unit) => {
    const ratio = growthOnDoubling(
      (size) => unit.repeat(size),
      (text) => acknowledgePlan(plan(), text),
      5_000,
    );
    expect(ratio).toBeLessThan(3.3);
  });
});
