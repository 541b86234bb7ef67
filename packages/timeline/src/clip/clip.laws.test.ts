/** Laws of clipping, over generated conversations with content of any size, in windows of any size. */
import { hostileText, make } from "@cairn/testkit/conversation";
import { bySize } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Block } from "../block/block.ts";
import { type ContextBudget, fixedTokens } from "../compact/budget.ts";
import type { TimelineEvent } from "../event/event.ts";
import { finishMaintenance, maintain } from "../maintain.ts";
import { viewWhole } from "../render/block-view.ts";
import { CLIP_MARK } from "../render/clip-note.ts";
import { Timeline, type TimelineDeps } from "../timeline.ts";

/** Each run processes megabytes of text. */
const RUNS = bySize({ quick: 6, usual: 10, long: 10_000 });

const deps: TimelineDeps = {
  clock: { now: () => 1_770_603_272_000 },
  countTokens: (text) => Math.ceil(text.length / 4),
};

/** Texts of any size, from empty to many windows: many lines, one line, JSON, forged headers. */
const content = fc.oneof(
  hostileText,
  fc.tuple(hostileText, fc.nat({ max: 3_000 })).map(([text, times]) => `${text}\n`.repeat(times)),
  fc.tuple(hostileText, fc.nat({ max: 3_000 })).map(([text, times]) => text.repeat(times)),
  fc.tuple(fc.lorem(), fc.nat({ max: 2_000 })).map(([text, times]) => JSON.stringify(Array(times).fill({ text }))),
  fc
    .nat({ max: 500 })
    .map((times) => JSON.stringify(Array(times).fill({ hosted_uri: make.HOSTING_SECRET, path: "a" }))),
);

interface Step {
  readonly blocks: readonly Block[];
}

const opening = (turn: string) =>
  fc
    .record({ text: content, files: fc.array(fc.tuple(content, fc.nat({ max: 300 })), { maxLength: 2 }) })
    .map(({ text, files }): Step => {
      const attached = files.flatMap(([summary, pages], at) =>
        make
          .attachment(turn, {
            name: `a${at}.pdf`,
            mime: "application/pdf",
            summary: summary.slice(0, 300),
            base64: "JVBERg==",
          })
          .map((block) => (block.type === "user.attachment" ? { ...block, meta: { ...block.meta, pages } } : block)),
      );
      return { blocks: [make.header(turn), make.prompt(turn, text), ...attached] };
    });

const decision = (turn: string, iteration: number) =>
  fc
    .array(fc.record({ params: hostileText, results: fc.array(content, { minLength: 1, maxLength: 3 }) }), {
      minLength: 1,
      maxLength: 5,
    })
    .map((calls): Step => {
      const at = calls.map((_, nth) => ({ turn, call: `tc_${iteration}_${nth}`, iteration }));
      const made = at.map((each, nth) => make.call(each, "shop.dump", { query: calls[nth]?.params ?? "" }));
      const left = at.flatMap((each, nth) => (calls[nth]?.results ?? []).map((text) => make.result(each, text)));
      return { blocks: [...made, ...left] };
    });

const steps = fc
  .array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 3 })
  .chain((turns) =>
    fc.tuple(
      ...turns.flatMap((decisions, nth) => [
        opening(`turn_${nth + 1}`),
        ...Array.from({ length: decisions }, (_, iteration) => decision(`turn_${nth + 1}`, iteration)),
      ]),
    ),
  );

/**
 * Tools, instructions and answer take up to the part of the window that an agent may use. The answer is at least 1
 * token.
 */
const budgets = fc
  .record({
    maxTokens: fc.integer({ min: 8_000, max: 60_000 }),
    fixed: fc.double({ min: 0, max: 0.65, noNaN: true }),
    answer: fc.double({ min: 0.01, max: 1, noNaN: true }),
  })
  .map(({ maxTokens, fixed, answer }): ContextBudget => {
    const maxOutputTokens = Math.max(1, Math.floor(answer * fixed * maxTokens));
    return { maxTokens, maxOutputTokens, systemTokens: Math.max(0, Math.floor(fixed * maxTokens) - maxOutputTokens) };
  });

function request(timeline: Timeline, budget: ContextBudget) {
  const maintenance = maintain(timeline, { budget });
  const { resets } = finishMaintenance(timeline, maintenance);
  return { resets, tail: maintenance.budget?.tailTokens ?? 0, view: timeline.render(maintenance.render) };
}

function sent(timeline: Timeline): void {
  timeline.record("model.receipt", { started_at: 1_770_603_272 });
}

const stable = (view: ReturnType<Timeline["render"]>) =>
  Array.from({ length: view.stableLength }, (_, index) => JSON.stringify(view.stableAt(index)));

const isClip = ({ kind }: TimelineEvent) => kind === "blocks.clipped";

describe("clipping", () => {
  it("makes every request fit, whatever was contributed, and declares nothing unless something that was sent changes", () => {
    fc.assert(
      fc.property(steps, budgets, (script, budget) => {
        const timeline = Timeline.create(deps);
        let before: string[] | null = null;
        for (const { blocks } of script) {
          timeline.contribute(blocks);
          const { view, resets, tail } = request(timeline, budget);
          const needed = fixedTokens({ ...budget, tailTokens: tail }) + timeline.visibleTokens();
          expect(needed).toBeLessThanOrEqual(0.9 * budget.maxTokens + 60);
          const after = stable(view);
          if (resets.length === 0 && before !== null) expect(after.slice(0, before.length)).toEqual(before);
          expect(resets.filter(({ cause }) => cause === "clip")).toEqual([]);
          before = after;
          sent(timeline);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("gives the same view after a reload from the journal and from the payload, also while it is pending", () => {
    fc.assert(
      fc.property(steps, budgets, (script, budget) => {
        const timeline = Timeline.create(deps);
        const journal: TimelineEvent[] = [];
        for (const { blocks } of script) {
          timeline.contribute(blocks);
          journal.push(...timeline.takeEvents());
          const again = Timeline.fromEvents(JSON.parse(JSON.stringify(journal)), deps);
          const view = stable(request(timeline, budget).view);
          expect(stable(request(again, budget).view)).toEqual(view);
          const payload = JSON.parse(JSON.stringify(timeline.payload()));
          expect(stable(Timeline.fromPayload(payload, [], deps).render())).toEqual(view);
          sent(timeline);
          journal.push(...timeline.takeEvents());
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(steps, budgets, (script, budget) => {
        const timeline = Timeline.create(deps);
        for (const { blocks } of script) timeline.contribute(blocks);
        request(timeline, budget);
        timeline.takeEvents();
        expect(request(timeline, budget).resets).toEqual([]);
        expect(timeline.takeEvents().filter(isClip)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it("shows the beginning of the whole view, with the same escaping, then one line about the clip", () => {
    fc.assert(
      fc.property(steps, budgets, (script, budget) => {
        const timeline = Timeline.create(deps);
        for (const { blocks } of script) timeline.contribute(blocks);
        request(timeline, budget);
        for (const entry of timeline.state.window) {
          const [shown] = entry.view ?? [];
          if (entry.clip === null || entry.clip.omitted || shown?.type !== "text") continue;
          const end = shown.text.lastIndexOf(CLIP_MARK);
          const note = shown.text.slice(end);
          expect(note.slice(0, -2)).not.toMatch(/[\n\r\v\f\u0085\u2028\u2029]/);
          const [whole] = viewWhole(entry);
          if (end > 0 && whole?.type === "text")
            expect(`${whole.text}\n`).toContain(shown.text.slice(0, end).replace(/[\n\r]+$/, ""));
          if (entry.block.type === "react.tool.result") expect(shown.text).not.toContain(make.HOSTING_SECRET);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("leaves the content at every path unchanged", () => {
    fc.assert(
      fc.property(steps, budgets, (script, budget) => {
        const clipped = Timeline.create(deps);
        const plain = Timeline.create(deps);
        for (const { blocks } of script) for (const each of [clipped, plain]) each.contribute(blocks);
        clipped.clip(budget);
        for (const { path } of plain.state.window)
          if (path !== null) expect(clipped.resolve(path)).toEqual(plain.resolve(path));
      }),
      { numRuns: RUNS },
    );
  });

  it("keeps small blocks whole, and divides the remaining room among the large ones", () => {
    const timeline = Timeline.create(deps);
    timeline.contribute([make.header("turn_1"), make.prompt("turn_1", "Go")]);
    sent(timeline);
    const lines = (count: number) => "0123456789 0123456789 0123456789 0123456\n".repeat(count);
    const at = (call: string) => ({ turn: "turn_1", call, iteration: 0 });
    timeline.contribute([
      ...["a", "b", "c"].map((call) => make.call(at(call), "shop.dump", {})),
      make.result(at("a"), lines(20), "text/plain"),
      make.result(at("b"), lines(1_000), "text/plain"),
      make.result(at("c"), lines(5_000), "text/plain"),
    ]);
    timeline.clip({ maxTokens: 20_000 });
    const [a, b, c] = timeline.state.window.slice(-3).map(({ clip }) => clip?.shown_lines ?? null);
    expect(a).toBe(null);
    expect(Math.abs((b ?? 0) - (c ?? 0))).toBeLessThan(0.05 * (b ?? 0));
    expect(timeline.visibleTokens()).toBeGreaterThan(0.9 * 8_000);
    expect(timeline.visibleTokens()).toBeLessThanOrEqual(8_000 + 30);
  });

  it("shows the first of several pictures that fit, and gives the remaining room to the text after them", () => {
    const timeline = Timeline.create(deps);
    const pictures = Array.from({ length: 6 }, (_, nth) =>
      make.attachment("turn_1", { name: `${nth}.png`, mime: "image/png", base64: "iVBORw0KGgo=" }),
    );
    const text = make.prompt("turn_1", "a long question\n".repeat(4_000));
    timeline.contribute([make.header("turn_1"), ...pictures.flat(), text]);
    timeline.clip({ maxTokens: 20_000 });
    const clips = timeline.state.window.flatMap(({ block, clip }) =>
      block.type === "user.attachment" ? [clip === null] : [],
    );
    expect(clips).toEqual([true, true, true, false, false, false]);
    expect(timeline.visibleTokens()).toBeGreaterThan(0.9 * 8_000);
    expect(timeline.visibleTokens()).toBeLessThanOrEqual(8_000 + 30);
  });

  it("clips again when the window shrinks, and declares it", () => {
    const timeline = Timeline.create(deps);
    timeline.contribute([make.header("turn_1"), make.prompt("turn_1", "a long question, ".repeat(40_000))]);
    expect(request(timeline, { maxTokens: 200_000 }).resets).toEqual([]);
    const large = timeline.state.window[1]?.clip?.shown_lines ?? 0;
    sent(timeline);
    expect(request(timeline, { maxTokens: 20_000 }).resets).toEqual([
      { cause: "clip", blocks: 1, tokens: expect.any(Number) },
    ]);
    expect(timeline.state.window[1]?.clip?.shown_lines).toBeLessThan(large);
    expect(request(timeline, { maxTokens: 200_000 }).resets).toEqual([]);
  });
});
