import { expect, it } from "vitest";
import { coldCauses, explainCold, type MadeRequest } from "./explain-cold.ts";
import { readRequestRecord } from "./request-record.ts";

function made(model: string, startedAt: number, predicted_read: number): MadeRequest {
  const entries = [{ at: 3, prefix: "p", tokens: 900, ttl: "5m" }];
  const cache = { provider: "anthropic", predicted_read, entries };
  return { record: readRequestRecord({ started_at: startedAt, model, cache }), startedAt };
}

const causes = (found: Iterable<{ readonly cause: string }>) => [...found].map(({ cause }) => cause);
const first = made("anthropic:a", 0, 0);

it("a cold cache lists every cause that would suffice alone, with the most important first", () => {
  expect(causes(explainCold(first, made("anthropic:b", 400, 0)))).toEqual(["model_changed", "expired"]);
  expect(causes(explainCold(first, made("anthropic:a", 400, 0)))).toEqual(["expired"]);
});

it("a setting is the cause only if nothing else explains the cold cache", () => {
  expect(causes(explainCold(first, made("anthropic:a", 10, 0)))).toEqual(["settings_changed"]);
  expect(causes(explainCold(first, made("anthropic:a", 10, 900)))).toEqual([]);
  expect(causes(coldCauses(first, made("anthropic:a", 10, 0)))).toEqual([]);
});
