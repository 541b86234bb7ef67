/** All texts of a scope across its segments, numbered consecutively, with the neighbours that ranking needs. */
import type { RankedTexts } from "../../recall/rank.ts";
import type { OpenSegment } from "./segment-rows.ts";
import { isMessage } from "./text-table.ts";

interface Part extends OpenSegment {
  /** Number of the segment's first text. */
  readonly base: number;
}

/** The texts of one conversation in one segment, which are adjacent. */
interface Run {
  readonly from: number;
  readonly to: number;
}

export class ScopeTexts implements RankedTexts {
  readonly parts: readonly Part[];
  readonly count: number;
  readonly words: number;
  readonly lengths: Uint32Array;
  readonly kinds: Uint8Array;
  readonly times: Float64Array;
  readonly conversations: Float64Array;
  readonly events: Float64Array;
  readonly next: Int32Array;
  readonly previous: Int32Array;
  /** Runs of texts by conversation, in the order of their events. */
  readonly #runs: ReadonlyMap<number, readonly Run[]>;

  constructor(segments: readonly OpenSegment[]) {
    const count = segments.reduce((sum, { table }) => sum + table.count, 0);
    this.count = count;
    this.lengths = new Uint32Array(count);
    this.kinds = new Uint8Array(count);
    this.times = new Float64Array(count);
    this.conversations = new Float64Array(count);
    this.events = new Float64Array(count);
    let base = 0;
    const parts: Part[] = [];
    for (const segment of segments) {
      const { lengths, kinds, times, conversations, events } = segment.table;
      this.lengths.set(lengths, base);
      this.kinds.set(kinds, base);
      this.times.set(times, base);
      this.conversations.set(conversations, base);
      this.events.set(events, base);
      parts.push({ ...segment, base });
      base += segment.table.count;
    }
    this.parts = parts;
    let words = 0;
    for (const length of this.lengths) words += length;
    this.words = words;
    this.#runs = this.#findRuns();
    this.next = new Int32Array(count).fill(-1);
    this.previous = new Int32Array(count).fill(-1);
    for (const runs of this.#runs.values()) this.#linkMessages(runs);
  }

  byAge(a: number, b: number): number {
    return (this.times[b] ?? 0) - (this.times[a] ?? 0) || (this.events[b] ?? 0) - (this.events[a] ?? 0);
  }

  /** The texts of a conversation, in the order of their events. */
  *textsOf(conversation: number): Generator<number> {
    for (const { from, to } of this.#runs.get(conversation) ?? []) for (let text = from; text < to; text++) yield text;
  }

  #findRuns(): Map<number, Run[]> {
    const found = new Map<number, Run[]>();
    for (const { base, table } of this.parts)
      for (let from = base; from < base + table.count; ) {
        const conversation = this.conversations[from] ?? 0;
        let to = from + 1;
        while (to < base + table.count && this.conversations[to] === conversation) to++;
        const runs = found.get(conversation) ?? [];
        if (runs.push({ from, to }) === 1) found.set(conversation, runs);
        from = to;
      }
    for (const runs of found.values()) runs.sort((a, b) => (this.events[a.from] ?? 0) - (this.events[b.from] ?? 0));
    return found;
  }

  #linkMessages(runs: readonly Run[]): void {
    let before = -1;
    for (const { from, to } of runs)
      for (let text = from; text < to; text++) {
        if (!isMessage(this.kinds[text] ?? 0)) continue;
        this.previous[text] = before;
        if (before >= 0) this.next[before] = text;
        before = text;
      }
  }
}
