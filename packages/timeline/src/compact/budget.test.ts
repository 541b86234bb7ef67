import { make } from "@cairn/testkit/conversation";
import { describe, expect, it } from "vitest";
import { finishMaintenance, maintain } from "../maintain.ts";
import { Timeline, type TimelineDeps } from "../timeline.ts";
import { checkFixedPart, newBlocksRoom, outputTokens } from "./budget.ts";

const deps: TimelineDeps = { clock: { now: () => 0 }, countTokens: (text) => Math.ceil(text.length / 4) };

describe("the budget of a request", () => {
  it("gives new blocks half of the room left in nine tenths of the window by tools, system text, answer, tail and summary", () => {
    const budget = {
      maxTokens: 10_000,
      toolsTokens: 1_000,
      systemTokens: 500,
      maxOutputTokens: 2_000,
      tailTokens: 300,
    };
    expect(newBlocksRoom(budget).share).toBe((9_000 - 1_000 - 500 - 2_000 - 300 - 1_000) / 2);
    expect(newBlocksRoom({ maxTokens: 10, systemTokens: 100 }).share).toBe(0);
  });

  it("asks for at most a quarter of the window as an answer", () => {
    expect(outputTokens({ contextTokens: 8_192, maxOutputTokens: 32_000 })).toBe(2_048);
    expect(outputTokens({ contextTokens: 200_000, maxOutputTokens: 32_000 })).toBe(32_000);
  });

  it("lets tools, system text and answer take at most 0.65 of the window", () => {
    const budget = { maxTokens: 10_000, toolsTokens: 3_000, systemTokens: 1_000, maxOutputTokens: 2_500 };
    expect(() => checkFixedPart(budget)).not.toThrow();
    expect(() => checkFixedPart({ ...budget, systemTokens: 1_001 })).toThrow(
      expect.objectContaining({ code: "context_too_small", details: expect.objectContaining({ needed: 6_501 }) }),
    );
  });
});

describe("the tail", () => {
  const cited = (systemTokens: number) => {
    const timeline = Timeline.create(deps);
    timeline.mergeSources(
      Array.from({ length: 300 }, (_, at) => ({
        source_type: "web",
        url: `https://example.com/${at}`,
        title: `Page ${at}`,
      })),
    );
    timeline.contribute([make.header("turn_1"), make.prompt("turn_1", "All of [[S:1-300]], please.")]);
    const maintenance = maintain(timeline, {
      budget: { maxTokens: 20_000, systemTokens },
      render: { includeSources: true },
    });
    finishMaintenance(timeline, maintenance);
    const text = timeline
      .render(maintenance.render)
      .tail.map((message) => (message.type === "text" ? message.text : ""));
    return deps.countTokens(text.join(""));
  };

  it("shows every used source while there is room", () => {
    expect(cited(1_000)).toBeGreaterThan(0.15 * 20_000);
  });

  it("takes at most a twentieth of the window if no more is free: sources fold, even used ones", () => {
    expect(cited(0.65 * 20_000)).toBeLessThanOrEqual(0.05 * 20_000);
  });
});
