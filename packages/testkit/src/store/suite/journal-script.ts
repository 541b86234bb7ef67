/**
 * Journals for laws: the batches that a conversation would append, with every kind of event.
 *
 * A real timeline makes a script from a generated conversation, so that positions, versions and tokens are those a
 * writer would send. Between its batches there are inputs from anyone, overlays, compactions, receipts, calls, and
 * events of unknown kinds.
 */
import { createHash } from "node:crypto";
import { applyEvent, type BlobRef, encodeEvent, makeEvent, Timeline, type TimelineEvent } from "@cairn/timeline";
import fc from "fast-check";
import { type Batch, conversations, hostileText } from "../../conversation/index.ts";

interface ScriptBatch {
  /** Inputs need no lease; timeline events do. */
  readonly class: "inputs" | "timeline";
  readonly events: readonly TimelineEvent[];
}

export interface JournalScript {
  readonly batches: readonly ScriptBatch[];
  /** The bytes of every blob reference in the script. */
  readonly blobs: ReadonlyMap<BlobRef, Uint8Array>;
}

type Interlude =
  | { readonly is: "none" }
  | { readonly is: "input"; readonly text: string; readonly promote: boolean }
  | { readonly is: "blob"; readonly bytes: Uint8Array; readonly text: string }
  | { readonly is: "hide" | "prune" | "clip" | "compact"; readonly at: number; readonly text: string }
  | { readonly is: "call"; readonly settle: boolean }
  | { readonly is: "receipt" | "title" | "named" | "feedback" | "order" | "cancel" | "unknown"; readonly text: string };

const interlude: fc.Arbitrary<Interlude> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Interlude>({ is: "none" }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant("input" as const), text: hostileText, promote: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant("blob" as const),
      bytes: fc.uint8Array({ maxLength: 40 }),
      text: hostileText,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constantFrom("hide" as const, "prune" as const, "clip" as const, "compact" as const),
      at: fc.nat({ max: 1_000 }),
      text: hostileText,
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("call" as const), settle: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constantFrom(
        "receipt" as const,
        "title" as const,
        "named" as const,
        "feedback" as const,
        "order" as const,
        "cancel" as const,
        "unknown" as const,
      ),
      text: hostileText,
    }),
  },
);

/** Scripts of up to `maxTurns` turns. */
export function journalScripts(maxTurns = 2): fc.Arbitrary<JournalScript> {
  return fc
    .tuple(conversations(maxTurns), fc.array(interlude, { minLength: 1, maxLength: 12 }))
    .map(([batches, interludes]) => writeScript(batches, interludes));
}

/** One script of several turns, always the same for the same seed. */
export function randomScript(seed: number, turns: number): JournalScript {
  const conversation = fc.array(fc.tuple(conversations(1), fc.array(interlude, { minLength: 8, maxLength: 12 })), {
    minLength: turns,
    maxLength: turns,
  });
  const [parts = []] = fc.sample(conversation, { seed, numRuns: 1 });
  const steps = parts.flatMap(([batches], nth) => batches.map((batch) => inTurn(batch, `turn_${nth + 1}`)));
  return writeScript(
    steps,
    parts.flatMap(([, interludes]) => interludes),
  );
}

/** The same blocks as part of another turn. */
function inTurn(batch: Batch, turn: string): Batch {
  return { ...batch, blocks: JSON.parse(JSON.stringify(batch.blocks).replaceAll("turn_1", turn)) };
}

function writeScript(steps: readonly Batch[], interludes: readonly Interlude[] = []): JournalScript {
  let now = Date.UTC(2026, 1, 9);
  const timeline = Timeline.create({
    clock: { now: () => (now += 1_000) },
    countTokens: (text) => Math.ceil(text.length / 4),
  });
  const batches: ScriptBatch[] = [];
  const blobs = new Map<BlobRef, Uint8Array>();
  /** The number of summaries at each path: several compactions of one turn are versions of one path. */
  const summaries = new Map<string, number>();
  const flush = (...more: TimelineEvent[]) => {
    for (const event of more) applyEvent(timeline.state, event);
    const events = [...timeline.takeEvents(), ...more];
    if (events.length > 0) batches.push({ class: "timeline", events });
  };
  const input = (event: TimelineEvent) => {
    applyEvent(timeline.state, event);
    batches.push({ class: "inputs", events: [event] });
  };
  let open: string | null = null;
  for (const [nth, step] of steps.entries()) {
    const turn = step.blocks[0]?.turn_id ?? "turn_1";
    if (turn !== open) {
      if (open !== null) timeline.closeTurn("complete");
      flush();
      open = turn;
      timeline.openTurn(turn);
    }
    timeline.contribute(step.blocks.filter((block) => block.type !== "turn.header"));
    timeline.mergeSources(step.sources);
    flush();
    play(interludes[nth % Math.max(1, interludes.length)] ?? { is: "none" }, `k${nth}`, turn);
  }
  timeline.closeTurn("complete");
  flush();
  return { batches, blobs };

  function play(what: Interlude, key: string, turn: string): void {
    const ts = new Date(now).toISOString();
    const last = timeline.state.nextPosition - 1;
    switch (what.is) {
      case "none":
        break;
      case "input":
        input(makeEvent("input.received", { key, mode: "steer", message: what.text, attachments: [], ts }));
        if (what.promote) flush(makeEvent("input.promoted", { key, turn_id: turn }));
        break;
      case "blob": {
        const ref = blobRefOf(what.bytes);
        blobs.set(ref, what.bytes);
        const path = `fi:${turn}.files/${key}.bin`;
        timeline.contribute([
          { type: "react.tool.result", turn_id: turn, path, mime: "image/png", meta: { blob: ref, note: what.text } },
        ]);
        flush();
        break;
      }
      case "hide": {
        const group = { positions: [what.at % (last + 1)], anchor: what.at % (last + 1), replacement: what.text };
        flush(makeEvent("blocks.hidden", { groups: [group] }));
        break;
      }
      case "prune": {
        const positions = [what.at % (last + 1), last].filter((at, i, all) => all.indexOf(at) === i);
        const group = { positions, anchor: last, replacement: what.text };
        flush(makeEvent("blocks.pruned", { by: "ttl", groups: [group] }));
        break;
      }
      case "clip":
        flush(makeEvent("blocks.clipped", { clips: [{ position: what.at % (last + 1), shown_lines: what.at % 3 }] }));
        break;
      case "compact": {
        const path = `su:${turn}.conv.range.summary`;
        const summary = { type: "conv.range.summary", turn_id: turn, path, text: what.text, ts };
        const version = (summaries.get(path) ?? 0) + 1;
        summaries.set(path, version);
        const position = timeline.state.nextPosition;
        flush(makeEvent("compaction.committed", { cut: what.at % (last + 1), position, summary, tokens: 7, version }));
        break;
      }
      case "call": {
        const call_id = `tc_extra_${key}`;
        const started = makeEvent("call.started", { turn_id: turn, call_id, tool_id: "web_tools.web_fetch", ts });
        flush(started, ...(what.settle ? [makeEvent("call.settled", { call_id, outcome: "ok", ts })] : []));
        break;
      }
      case "receipt":
        flush(makeEvent("model.receipt", { started_at: now / 1_000, note: what.text }));
        break;
      case "title":
        flush(makeEvent("meta.set", { conversation_title: what.text }));
        break;
      case "named":
        input(
          makeEvent("title.given", {
            key,
            title: what.text,
            ts,
            ...(what.text.length % 2 === 0 ? {} : { replaces: null }),
          }),
        );
        break;
      case "feedback":
        input(makeEvent("feedback.received", { key, turn_id: turn, reaction: what.text, ts }));
        break;
      case "order":
        input(makeEvent("order.changed", { key, text: what.text, closes: [], ts }));
        break;
      case "cancel":
        input(makeEvent("cancel.requested", { key, ts }));
        break;
      case "unknown":
        flush({ kind: "x.from_the_future", v: 7, body: { text: what.text, __proto__x: [1] }, unknown: true });
        break;
      default:
        what satisfies never;
    }
  }
}

export function blobRefOf(bytes: Uint8Array): BlobRef {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** Every event of a script in journal order. */
export function scriptEvents(script: JournalScript): TimelineEvent[] {
  return script.batches.flatMap((batch) => batch.events);
}

/** Events as a store returns them: through the codec and JSON, which drops absent fields. */
export function asStored(events: readonly TimelineEvent[]): unknown[] {
  return events.map((event) => JSON.parse(JSON.stringify(encodeEvent(event))));
}
