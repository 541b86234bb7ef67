/** Laws of the native lowering, over busy conversations, with changes to the flat one, and every wire form. */
import { refuseBody } from "@cairn/testkit/cache";
import { type BusyModel, busyConversations, type Move } from "@cairn/testkit/conversation";
import { costlyRuns } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finishMaintenance, maintain } from "../../maintain.ts";
import type { RenderedView } from "../../render/rendered-view.ts";
import { Timeline, type TimelineDeps } from "../../timeline.ts";
import { PROVIDERS, type ProviderId } from "../providers.ts";
import { lowerView } from "./lower-view.ts";
import { FLAT_1, type Lowering, NATIVE_1 } from "./lowering.ts";
import type { CallPart, ResultPart, WireApi, WireRequest } from "./wire-request.ts";

const deps: TimelineDeps = {
  clock: { now: () => 1_770_603_272_000 },
  countTokens: (text) => Math.ceil(text.length / 4),
};
const frame = { tools: [{ name: "a", description: "A", schema: {} }], system: "Be brief." };

interface Wire {
  readonly provider: ProviderId;
  readonly api: WireApi;
}

const wires = fc.constantFrom<Wire>(
  { provider: "anthropic", api: "responses" },
  { provider: "bedrock", api: "responses" },
  { provider: "openai", api: "responses" },
  { provider: "openai", api: "chat" },
  { provider: "automatic", api: "chat" },
  { provider: "automatic", api: "google" },
);
const strategies = fc.constantFrom("seed" as const, "economic" as const);

interface Sent {
  readonly wire: WireRequest;
  readonly view: RenderedView;
  readonly lowering: Lowering;
  /** The model it is for. Its reasoning, and no other's, is sent back. */
  readonly model: BusyModel;
}

/** The requests of a conversation, one after each move. */
function* requestsOf(moves: readonly Move[], wire: Wire, strategy: "seed" | "economic"): Generator<Sent> {
  let timeline = Timeline.create(deps);
  const events = [];
  const paths: string[] = [];
  let now = 1_770_603_272;
  let previousLength = 0;
  let model: BusyModel = "model:one";
  let lowering = NATIVE_1;
  for (const [nth, move] of moves.entries()) {
    now += 1;
    switch (move.do) {
      case "append":
        timeline.contribute(move.blocks);
        for (const { path } of move.blocks) if (path !== undefined) paths.push(path);
        break;
      case "hide":
        timeline.hide({ paths: paths.slice(-1 - move.nth).slice(0, 1), replacement: "gone" });
        break;
      case "prune":
        now += 4_000;
        timeline.prune({ now, firstRender: true, policy: "seed", session: { keep_recent_turns: 0 } });
        break;
      case "clip":
        timeline.clip({ maxTokens: 400, systemTokens: 0, toolsTokens: 0, tailTokens: 0, maxOutputTokens: 20 });
        break;
      case "compact": {
        const maintenance = maintain(timeline, { forceCompaction: true });
        finishMaintenance(timeline, maintenance);
        break;
      }
      case "switch":
        model = move.model;
        lowering = move.isFlat ? FLAT_1 : NATIVE_1;
        break;
      // A fork has a copy of the events, and begins like a restart.
      case "fork":
      case "restart":
        events.push(...timeline.takeEvents());
        timeline = Timeline.fromEvents(structuredClone(events), deps);
    }
    events.push(...timeline.takeEvents());
    timeline.announce([{ type: "react.announce", text: `request ${nth}` }]);
    const view = timeline.render({ strategy, previousLength, includeSources: true, includeAnnounce: true });
    previousLength = view.stableLength;
    const input = { ...frame, ...wire, strategy, lowering, reasoningOf: model };
    yield { view, model, lowering, wire: lowerView(view, input, wire.provider) };
  }
}

function stableOf({ blocks }: WireRequest): string[] {
  return blocks
    .filter(({ kind }) => kind !== "tail")
    .map(({ content, startsMessage, role }) => JSON.stringify([role, content, startsMessage]));
}

function law(check: (requests: Iterable<Sent>, wire: Wire) => void): void {
  fc.assert(
    fc.property(busyConversations(), wires, strategies, (moves, wire, strategy) => {
      check(requestsOf(moves, wire, strategy), wire);
    }),
    { numRuns: costlyRuns },
  );
}

describe("laws of the native lowering", () => {
  it("without a reset, the wire blocks of a request, except the tail, begin every later one to its model in its form", () => {
    law((requests) => {
      const before = new Map<string, { sent: string[]; hashes: string }>();
      for (const { wire, view, model, lowering } of requests) {
        const sent = stableOf(wire);
        const texts = [...view].slice(0, view.stableLength).map((message) => JSON.stringify({ ...message, cache: 0 }));
        const hashes = texts.join("\n");
        const previous = before.get(`${model} ${lowering.name}`);
        if (previous !== undefined && hashes.startsWith(previous.hashes))
          expect(sent.slice(0, previous.sent.length)).toEqual(previous.sent);
        before.set(`${model} ${lowering.name}`, { sent, hashes });
      }
    });
  });

  it("reasoning is sent only to the model that produced it, before what it led to, and ends no message", () => {
    law((requests) => {
      for (const { wire, view, model, lowering } of requests) {
        const shown = [...view.origins()].filter(
          ({ block, isWhole }) => isWhole && JSON.stringify(block.meta?.reasoning ?? null).includes(model),
        );
        const sent = wire.blocks.filter(({ part }) => part.type === "reasoning");
        expect(sent.length).toBeLessThanOrEqual(lowering.name === "flat" ? 0 : shown.length);
        for (const [at, { part }] of wire.blocks.entries())
          if (part.type === "reasoning") expect(wire.blocks[at + 1]?.role).toBe("assistant");
      }
    });
  });

  it("every call has one result, results follow their calls directly and in order, and ids are unique", () => {
    law((requests) => {
      for (const { wire } of requests) {
        let open: CallPart[] = [];
        const ids = new Set<string>();
        for (const { part, role } of wire.blocks) {
          if (part.type === "call") {
            expect(ids).not.toContain(part.id);
            ids.add(part.id);
            open.push(part);
          } else if (part.type === "result") {
            const answered: ResultPart = part;
            expect(open[0]?.id).toBe(answered.id);
            open = open.slice(1);
          } else if (role !== "assistant") expect(open).toEqual([]);
        }
        expect(open).toEqual([]);
      }
    });
  });

  it("no provider would reject the body, and at most four markers stand on blocks before the tail", () => {
    law((requests, { provider }) => {
      for (const { wire, lowering } of requests) {
        refuseBody(wire);
        expect(wire.breakpoints.length).toBeLessThanOrEqual(PROVIDERS[provider].maxBreakpoints);
        for (const { i } of wire.breakpoints) expect(wire.blocks[i]?.kind).not.toBe("tail");
        const history = wire.blocks.filter(({ kind }) => kind === "stable" || kind === "tail");
        if (lowering.name === "flat") continue;
        expect(history[0]?.role).toBe("user");
        expect(history.at(-1)?.role).not.toBe("assistant");
      }
    });
  });
});
