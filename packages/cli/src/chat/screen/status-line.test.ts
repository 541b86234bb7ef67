import { expect, it } from "vitest";
import { drawStatus } from "./status-line.ts";

const status = { model: "anthropic:claude-sonnet-5", tokens: 12_340, window: 1_000_000, cost: 0.0123, doing: null };

it("the status line names the model, the tokens, the cost and what happens, with a clock", () => {
  expect(drawStatus(status, 80, 0)).toBe("anthropic:claude-sonnet-5 · 12k/1M tokens · $0.0123");
  const running = { what: "running shop.order", since: 0, until: null };
  expect(drawStatus({ ...status, tokens: 950, cost: null, doing: running }, 100, 65_000)).toBe(
    "running shop.order 1 min 5 s · anthropic:claude-sonnet-5 · 950/1M tokens · cost unknown",
  );
  const retrying = { what: "retrying in", since: 0, until: 9_000 };
  expect(drawStatus({ ...status, cost: 12, doing: retrying }, 30, 4_000)).toBe("retrying in 5 s · anthropic:c…");
});
