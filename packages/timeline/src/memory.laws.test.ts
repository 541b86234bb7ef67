/** Laws of hiding, pruning, clipping and compaction, over generated conversations and any mix of the four. */
import { type Batch, conversations } from "@cairn/testkit/conversation";
import { costlyRuns } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolveArtifact } from "./artifact/artifact.ts";
import { CairnError } from "./base/error.ts";
import { uncoveredRoots } from "./compact/coverage.ts";
import type { TimelineEvent } from "./event/event.ts";
import { finishMaintenance, maintain } from "./maintain.ts";
import { foldEvents } from "./state/apply.ts";
import type { Entry } from "./state/entry.ts";
import { indexRows } from "./state/index-rows.ts";
import { Timeline, type TimelineDeps } from "./timeline.ts";

const deps: TimelineDeps = {
  clock: { now: () => 1_770_603_272_000 },
  countTokens: (text) => Math.ceil(text.length / 4),
};

/** Small limits, so that short generated conversations have something to lose. */
const session = {
  keep_recent_turns: 2,
  keep_recent_intact_turns: 1,
  cache_truncation_max_text_chars: 20,
  cache_truncation_max_field_chars: 10,
  cache_truncation_max_base64_chars: 8,
  cache_truncation_keep_recent_images: 1,
};
const prices = { read: 0.1, write: 1.25, expectedRequests: 100, rereadShare: 0.1 };

type Operation =
  | { readonly kind: "batch"; readonly batch: Batch }
  | { readonly kind: "hide"; readonly nth: number }
  | { readonly kind: "prune" }
  | { readonly kind: "turn" }
  | { readonly kind: "clip"; readonly max: number }
  | { readonly kind: "compact"; readonly force: boolean; readonly max: number; readonly prose: string | null };

const interventions: fc.Arbitrary<Operation> = fc.oneof(
  fc.nat({ max: 30 }).map((nth): Operation => ({ kind: "hide", nth })),
  fc.constant<Operation>({ kind: "prune" }),
  fc.constant<Operation>({ kind: "turn" }),
  fc.integer({ min: 0, max: 1000 }).map((max): Operation => ({ kind: "clip", max })),
  fc
    .record({
      force: fc.boolean(),
      max: fc.integer({ min: 400, max: 4000 }),
      prose: fc.option(fc.lorem(), { nil: null }),
    })
    .map((options): Operation => ({ kind: "compact", ...options })),
);

const scripts = fc
  .tuple(conversations(4), fc.array(fc.tuple(fc.nat({ max: 30 }), interventions), { maxLength: 6 }))
  .map(([batches, inserted]) => {
    const script: Operation[] = batches.map((batch) => ({ kind: "batch", batch }));
    for (const [at, operation] of inserted) script.splice(Math.min(at, script.length), 0, operation);
    return script;
  });

function run(timeline: Timeline, operation: Operation): void {
  switch (operation.kind) {
    case "batch":
      timeline.contribute(operation.batch.blocks);
      timeline.mergeSources(operation.batch.sources);
      break;
    case "hide": {
      const paths = timeline.state.window.flatMap((entry) => entry.block.path ?? []);
      const path = paths[paths.length - 1 - operation.nth];
      if (path !== undefined) timeline.hide({ paths: [path], replacement: "the agent's own words" });
      break;
    }
    case "prune":
      timeline.setMeta({ cache_last_touch_at: 0 });
      timeline.prune({ now: 10_000, session, policy: "economic", prices });
      break;
    case "turn": {
      const turn = timeline.state.turnIds.at(-1);
      if (turn !== undefined) timeline.pruneTurn(turn, prices);
      break;
    }
    case "clip":
      timeline.clip({ maxTokens: operation.max });
      break;
    case "compact": {
      const plan = timeline.planCompaction({ maxTokens: operation.max }, operation.force);
      if (plan !== null) timeline.commitCompaction(plan, { summary: operation.prose, prefix: operation.prose });
    }
  }
}

/** Keeps only the events of blocks, renumbered, as if nothing had ever been compacted. */
function renumbered(): (event: TimelineEvent) => TimelineEvent {
  let position = 0;
  return (event) =>
    event.kind === "block.appended"
      ? ({ ...event, body: { ...(event.body as object), position: position++ } } as TimelineEvent)
      : event;
}

const texts = (timeline: Timeline) =>
  timeline
    .render()
    .messages()
    .map((message) => JSON.stringify({ ...message, cache: 0 }));

describe("hide, prune, clip and compaction", () => {
  it("keep everything that was ever visible readable by its path, verbatim, in the state or by an index of the journal", () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const timeline = Timeline.create(deps);
        for (const operation of script) run(timeline, operation);
        const events = timeline.takeEvents();
        const journal = foldEvents(
          events
            .filter((event) => event.kind === "block.appended" || event.kind === "sources.merged")
            .map(renumbered()),
        );
        const indexed = new Set(events.flatMap((event) => indexRows(event).paths.map((row) => row.path)));
        for (const entry of journal.window) {
          if (entry.path === null || entry.version === 0) continue;
          const whole = resolveArtifact(journal, `${entry.path}@v${entry.version}`);
          const held = timeline.resolve(`${entry.path}@v${entry.version}`);
          if (held === null) expect(indexed.has(entry.path)).toBe(true);
          else expect({ ...held, hidden: false }).toEqual({ ...whole, hidden: false });
        }
      }),
      { numRuns: costlyRuns },
    );
  });

  it("change no stored content and are the same after a reload from the journal and from the payload", () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const timeline = Timeline.create(deps);
        for (const operation of script) run(timeline, operation);
        const before = texts(timeline);
        expect(texts(Timeline.fromEvents(timeline.takeEvents(), deps))).toEqual(before);
        const payload = JSON.parse(JSON.stringify(timeline.payload()));
        expect(texts(Timeline.fromPayload(payload, [], deps))).toEqual(before);
        expect(Timeline.fromPayload(payload, [], deps).payload()).toEqual(payload);
      }),
      { numRuns: costlyRuns },
    );
  });
});

describe("pruning", () => {
  it("is idempotent, spares intact turns and never overwrites the agent's note", () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const timeline = Timeline.create(deps);
        for (const operation of script) run(timeline, operation);
        const slice = timeline.state.window;
        const last = slice.findLast((entry) => entry.block.turn_id)?.block.turn_id;
        const intact = slice.filter((entry) => entry.block.turn_id === last).map((entry) => [entry, entry.overlay]);
        const hidden = slice.filter((entry) => entry.overlay?.by === "agent").map((entry) => [entry, entry.overlay]);
        timeline.setMeta({ cache_last_touch_at: 0 });
        timeline.prune({ now: 10_000, session });
        for (const [entry, overlay] of [...intact, ...hidden] as [Entry, Entry["overlay"]][])
          expect(entry.overlay).toBe(overlay);
        const once = texts(timeline);
        timeline.setMeta({ cache_last_touch_at: 0 });
        expect(timeline.prune({ now: 20_000, session })).toEqual({ resets: [], notices: [] });
        expect(texts(timeline)).toEqual(once);
      }),
      { numRuns: costlyRuns },
    );
  });
});

describe("compaction", () => {
  it("never separates a call from its results and names every root it covers", () => {
    fc.assert(
      fc.property(scripts, fc.integer({ min: 200, max: 3000 }), (script, maxTokens) => {
        const timeline = Timeline.create(deps);
        for (const operation of script) run(timeline, operation);
        const plan = timeline.planCompaction({ maxTokens }, true);
        if (plan === null) return;
        const before = new Set(plan.covered.filter((e) => e.block.type === "react.tool.call").map((e) => e.call));
        for (const entry of timeline.state.window.slice(timeline.state.indexOf(plan.cutPosition)))
          if (entry.call !== null) expect(before.has(entry.call)).toBe(false);
        const { summary } = timeline.commitCompaction(plan, { summary: null, prefix: null });
        expect(uncoveredRoots(plan.covered, plan.page)).toEqual([]);
        expect(summary.path).toMatch(/^su:/);
        expect(timeline.state.window.filter((e) => e.block.type === "conv.range.summary")).toHaveLength(1);
        expect(timeline.planCompaction({ maxTokens: 10_000_000 })).toBeNull();
      }),
      { numRuns: costlyRuns },
    );
  });

  it("makes the view fit if fixed parts, the digest cap and the last round fit, and otherwise names the block", () => {
    fc.assert(
      fc.property(
        conversations(4),
        fc.integer({ min: 100, max: 2500 }),
        fc.nat({ max: 300 }),
        (batches, maxTokens, systemTokens) => {
          const timeline = Timeline.create(deps);
          for (const batch of batches) timeline.contribute(batch.blocks);
          const last = timeline.planCompaction({ maxTokens: 1 }, true);
          const total = timeline.visibleTokens();
          const lastRound = last === null ? total : total - last.covered.reduce((sum, e) => sum + (e.tokens ?? 0), 0);
          // A summary's text takes at most a tenth of the window; its header has at most 120 characters, and ids.
          const summary = maxTokens / 10 + 70;
          const mustFit =
            total <= maxTokens - systemTokens || (last !== null && systemTokens + lastRound + summary <= maxTokens);
          try {
            finishMaintenance(timeline, maintain(timeline, { budget: { maxTokens, systemTokens } }));
            expect(timeline.visibleTokens() + systemTokens).toBeLessThanOrEqual(maxTokens);
          } catch (error) {
            if (!CairnError.is(error)) throw error;
            expect(error.code).toBe("context_too_small");
            expect(error.details.block).toBeTypeOf("string");
            expect(mustFit).toBe(false);
          }
        },
      ),
      { numRuns: costlyRuns },
    );
  });
});
