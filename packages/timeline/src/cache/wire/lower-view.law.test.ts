/** Laws of lowering, over generated conversations and every provider. */
import { refuseBody } from "@cairn/testkit/cache";
import { type Batch, conversations, make } from "@cairn/testkit/conversation";
import { costlyRuns } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Timeline, type TimelineDeps } from "../../timeline.ts";
import { PROVIDERS, type ProviderId } from "../providers.ts";
import { lowerView } from "./lower-view.ts";
import type { WireRequest } from "./wire-request.ts";

const deps: TimelineDeps = {
  clock: { now: () => 1_770_603_272_000 },
  countTokens: (text) => Math.ceil(text.length / 4),
};
const providers = fc.constantFrom(...(Object.keys(PROVIDERS) as ProviderId[]));
const strategies = fc.constantFrom("seed" as const, "economic" as const);
const ttls = fc.constantFrom("5m" as const, "1h" as const);
const frame = { tools: [{ name: "a", description: "A", schema: {} }], system: "Be brief." };

interface Choice {
  readonly provider: ProviderId;
  readonly strategy: "seed" | "economic";
  readonly ttl: "5m" | "1h";
}

const choices: fc.Arbitrary<Choice> = fc.record({ provider: providers, strategy: strategies, ttl: ttls });

/** The requests of a conversation, one after each batch. */
function* requestsOf(batches: readonly Batch[], { provider, strategy, ttl }: Choice): Generator<WireRequest> {
  const timeline = Timeline.create(deps);
  let previousLength = 0;
  for (const [nth, { blocks, sources }] of batches.entries()) {
    timeline.contribute(blocks);
    timeline.mergeSources(sources);
    timeline.announce([{ type: "react.announce", text: `request ${nth}` }]);
    const view = timeline.render({ strategy, previousLength, includeSources: true, includeAnnounce: true });
    previousLength = view.stableLength;
    yield lowerView(view, { ...frame, strategy, ttl }, provider);
  }
}

function sent({ blocks }: WireRequest): string[] {
  return blocks
    .filter(({ kind }) => kind !== "tail")
    .map(({ content, startsMessage }) => JSON.stringify([content, startsMessage]));
}

describe("laws of the wire form", () => {
  it("each wire block of a request, except the tail, is byte-identical in the next request", () => {
    fc.assert(
      fc.property(conversations(), choices, (batches, choice) => {
        let previous: string[] = [];
        for (const request of requestsOf(batches, choice)) {
          const now = sent(request);
          expect(now.slice(0, previous.length)).toEqual(previous);
          previous = now;
        }
      }),
      { numRuns: costlyRuns },
    );
  });

  it("no provider would reject the body, and no marker is on the tail", () => {
    fc.assert(
      fc.property(conversations(), choices, (batches, choice) => {
        for (const request of requestsOf(batches, choice)) {
          refuseBody(request);
          const { maxBreakpoints } = PROVIDERS[choice.provider];
          expect(request.breakpoints.length).toBeLessThanOrEqual(maxBreakpoints);
          for (const { i } of request.breakpoints) expect(request.blocks[i]?.kind).not.toBe("tail");
        }
      }),
      { numRuns: costlyRuns },
    );
  });

  it("with economic, a breakpoint is where the previous request wrote its last entry", () => {
    fc.assert(
      fc.property(conversations(), choices, (batches, choice) => {
        let written: number | undefined;
        for (const { breakpoints } of requestsOf(batches, { ...choice, strategy: "economic" })) {
          if (written !== undefined) expect(breakpoints.map(({ i }) => i)).toContain(written);
          written = breakpoints.at(-1)?.i;
        }
      }),
      { numRuns: costlyRuns },
    );
  });

  it("this holds without knowing where the previous request ended, however many results a decision had", () => {
    const fanOut = fc.array(fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 4 }), { maxLength: 8 });
    fc.assert(
      fc.property(fanOut, (decisions) => {
        const timeline = Timeline.create(deps);
        timeline.contribute([make.header("turn_1"), make.prompt("turn_1", "Go")]);
        let written: number | undefined;
        for (const [iteration, calls] of [[], ...decisions].entries()) {
          for (const [nth, results] of calls.entries()) {
            const at = { turn: "turn_1", call: `tc_${iteration}_${nth}`, iteration };
            timeline.contribute([make.notes(at, "n"), make.call(at, "mcp.x", {})]);
            for (let each = 0; each <= results; each++) timeline.contribute([make.result(at, "r", "text/plain")]);
          }
          const { breakpoints } = lowerView(timeline.render(), frame, "anthropic");
          if (written !== undefined) expect(breakpoints.map(({ i }) => i)).toContain(written);
          written = breakpoints.at(-1)?.i;
        }
      }),
      { numRuns: costlyRuns },
    );
  });

  it("a round takes one wire block, so that the lookback spans many", () => {
    fc.assert(
      fc.property(fc.nat({ max: 30 }), (results) => {
        const timeline = Timeline.create(deps);
        const at = { turn: "turn_1", call: "tc_1", iteration: 0 };
        const found = Array.from({ length: results }, () => make.result(at, "r", "text/plain"));
        timeline.contribute([make.notes(at, "n"), make.call(at, "mcp.x", {}), ...found]);
        const { blocks } = lowerView(timeline.render(), frame, "bedrock");
        expect(blocks.filter(({ kind }) => kind === "stable")).toHaveLength(1);
      }),
      { numRuns: 50 },
    );
  });
});
