/** Laws of the native lowering in every wire format, over conversations that switch to the flat one and back. */
import { refuseBody } from "@cairn/testkit/cache";
import { type BusyModel, busyConversations, type Move } from "@cairn/testkit/conversation";
import { costlyRuns } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TimelineEvent } from "../../event/event.ts";
import { finishMaintenance, maintain } from "../../maintain.ts";
import type { RenderedView } from "../../render/rendered-view.ts";
import { Timeline, type TimelineDeps } from "../../timeline.ts";
import { PROVIDERS, type ProviderId } from "../providers.ts";
import { lowerView } from "./lower-view.ts";
import { FLAT_1, type Lowering, NATIVE_1, NATIVE_2 } from "./lowering.ts";
import type { CallPart, ResultPart, WireApi, WireRequest } from "./wire-request.ts";

const deps: TimelineDeps = {
  clock: { now: () => 1_770_603_272_000 },
  countTokens: (text) => Math.ceil(text.length / 4),
};
const frame = { tools: [{ name: "a", description: "A", schema: {} }], system: "Be brief." };

interface Wire {
  readonly provider: ProviderId;
  readonly api: WireApi;
  readonly native: Lowering;
}

const WIRES: readonly Wire[] = [
  { provider: "anthropic", api: "responses", native: NATIVE_1 },
  { provider: "bedrock", api: "responses", native: NATIVE_1 },
  { provider: "openai", api: "responses", native: NATIVE_1 },
  { provider: "openai", api: "chat", native: NATIVE_1 },
  { provider: "automatic", api: "chat", native: NATIVE_2 },
  { provider: "automatic", api: "google", native: NATIVE_1 },
];
const strategies = fc.constantFrom("seed" as const, "economic" as const);

/** What must occur in at least one of the generated conversations, so that the laws are tested with it. */
const KINDS = [
  ...["call.parallel", "result.late", "call.interrupted", "call.denied", "call.cut", "steer", "violation"],
  ...["blocks.hidden", "blocks.pruned", "blocks.clipped", "compaction.committed"],
  ...["model", "lowering", "fork", "restart", "reasoning"],
];

interface Sent {
  readonly wire: WireRequest;
  readonly view: RenderedView;
  readonly lowering: Lowering;
  /** The model for which the request is made. Only the model's own reasoning is sent back. */
  readonly model: BusyModel;
}

const PRUNED = {
  keep_recent_turns: 1,
  keep_recent_intact_turns: 1,
  cache_truncation_max_text_chars: 8,
  cache_truncation_max_field_chars: 8,
};

/** The requests of a conversation on each wire, one after each move. Every conversation is sent on all wires. */
function requestsOf(moves: readonly Move[], strategy: "seed" | "economic", reached: Set<string>): Sent[][] {
  const all: Sent[][] = WIRES.map(() => []);
  let timeline = Timeline.create(deps);
  const events: TimelineEvent[] = [];
  const paths: string[] = [];
  let now = 1_770_603_272;
  let previousLength = 0;
  let model: BusyModel = "model:one";
  let isFlat = false;
  const keepEvents = () => {
    for (const event of timeline.takeEvents()) {
      events.push(event);
      reached.add(event.kind);
    }
  };
  for (const [nth, move] of moves.entries()) {
    now += move.do === "prune" ? 4_000 : 1;
    timeline.prune({ now, firstRender: false, policy: "seed", session: PRUNED });
    switch (move.do) {
      case "append":
        timeline.contribute(move.blocks);
        for (const { path } of move.blocks) if (path !== undefined) paths.push(path);
        break;
      case "hide":
        timeline.hide({ paths: paths.slice(-1 - move.nth).slice(0, 1), replacement: "gone" });
        break;
      case "prune":
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
        if (move.model !== model) reached.add("model");
        if (move.isFlat !== isFlat) reached.add("lowering");
        ({ model, isFlat } = move);
        break;
      // A fork has a copy of the events, so its timeline is loaded as after a restart.
      case "fork":
      case "restart":
        reached.add(move.do);
        keepEvents();
        timeline = Timeline.fromEvents(structuredClone(events), deps);
    }
    keepEvents();
    timeline.announce([{ type: "react.announce", text: `request ${nth}` }]);
    const view = timeline.render({ strategy, previousLength, includeSources: true, includeAnnounce: true });
    previousLength = view.stableLength;
    for (const [at, { native, ...wire }] of WIRES.entries()) {
      const lowering = isFlat ? FLAT_1 : native;
      const input = { ...frame, ...wire, strategy, lowering, reasoningOf: model };
      all[at]?.push({ view, model, lowering, wire: lowerView(view, input, wire.provider) });
    }
    noteShown(view, all[0]?.at(-1), reached);
  }
  return all;
}

/** Records what the history of a native request contains. */
function noteShown(view: RenderedView, sent: Sent | undefined, reached: Set<string>): void {
  if (sent?.lowering.name !== "native") return;
  const parts = sent.wire.blocks.map(({ part }) => part);
  const text = JSON.stringify(parts);
  const parallel = parts.filter(({ type }, at) => type === "call" && parts[at + 1]?.type === "call").length;
  if (parallel > 20) reached.add("call.parallel");
  if (parts.some(({ type }) => type === "reasoning")) reached.add("reasoning");
  if (text.includes("approval_denied")) reached.add("call.denied");
  if (text.includes('"ref:fi:')) reached.add("call.cut");
  const lost = new Set<unknown>();
  for (const { role, call, block, isLost } of view.origins()) {
    if (isLost) reached.add("call.interrupted");
    else if (role === "result" && lost.has(call)) reached.add("result.late");
    if (isLost) lost.add(call);
    if (block.type === "user.prompt" && /prompt\.\d+$/.test(block.path ?? "")) reached.add("steer");
    if (block.type === "react.notice" && block.path?.startsWith("ar:")) reached.add("violation");
  }
}

function stableOf({ blocks }: WireRequest): string[] {
  return blocks
    .filter(({ kind }) => kind !== "tail")
    .map(({ content, startsMessage, role }) => JSON.stringify([role, content, startsMessage]));
}

const numRuns = Math.ceil(costlyRuns / 3);

function law(check: (requests: readonly Sent[], wire: Wire) => void): void {
  const reached = new Set<string>();
  fc.assert(
    fc.property(busyConversations(), strategies, (moves, strategy) => {
      const all = requestsOf(moves, strategy, reached);
      for (const [at, wire] of WIRES.entries()) check(all[at] ?? [], wire);
    }),
    { numRuns },
  );
  if (numRuns >= 30) expect(KINDS.filter((kind) => !reached.has(kind))).toEqual([]);
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
