import { expect, test } from "vitest";
import { describeOutcome } from "./watch-turn.ts";

test("a call that the user stopped is not called failed", () => {
  const call = { tool_id: "shop.order", outcome: { kind: "failed", reason: "Why." } } as const;
  const stopped = { code: "tool_cancelled", message: "Why." };
  expect(describeOutcome({ ...call, error: stopped })).toEqual({ style: "yellow", text: "⊘ shop.order stopped" });
  const failed = { code: "tool_failed", message: "Why." };
  expect(describeOutcome({ ...call, error: failed })?.text).toBe("✗ shop.order failed: Why.");
});
