/** All texts of a scope, over its segments: numbered through, with the neighbours ranking asks for. */
import type { RankedTexts } from "../../recall/rank.ts";
import type { OpenSegment } from "./segment-rows.ts";
import { isMessage, type TextTable } from "./text-table.ts";

interface Part extends OpenSegment {
  /** Number of its first text. */
  readonly base: number;
}

/** The texts of one conversation in one segment: they stand side by side. */
interface Run {
  readonly from: number;
  readonly to: number;
}

export class ScopeTexts implements RankedTexts {
  readonly parts: readonly Part[];
  readonly count: number;
  readonly words: number;
  /** Which part a text belongs to. */
  readonly #partOf: Uint16Array;
  readonly #runs = new Map<number, readonly Run[]>();

  constructor(segments: readonly OpenSegment[]) {
    let base = 0;
    let words = 0;
    const parts: Part[] = [];
    for (const segment of segments) {
      parts.push({ ...segment, base });
      base += segment.table.count;
      for (const length of segment.table.lengths) words += length;
    }
    this.parts = parts;
    this.count = base;
    this.words = words;
    this.#partOf = new Uint16Array(base);
    for (const [nth, part] of parts.entries()) this.#partOf.fill(nth, part.base, part.base + part.table.count);
  }

  length(text: number): number {
    return this.#at(text, "lengths");
  }

  conversation(text: number): number {
    return this.#at(text, "conversations");
  }

  event(text: number): number {
    return this.#at(text, "events");
  }

  kind(text: number): number {
    return this.#at(text, "kinds");
  }

  time(text: number): number {
    return this.#at(text, "times");
  }

  byAge(a: number, b: number): number {
    return this.time(b) - this.time(a) || this.event(b) - this.event(a);
  }

  /** In the order of their events. */
  textsOf(conversation: number): number[] {
    return this.#runsOf(conversation).flatMap(({ from, to }) =>
      Array.from({ length: to - from }, (_, nth) => from + nth),
    );
  }

  messageBeside(text: number, step: 1 | -1): number {
    if (!isMessage(this.kind(text))) return -1;
    const conversation = this.conversation(text);
    for (let at = this.#beside(text, conversation, step); at >= 0; at = this.#beside(at, conversation, step))
      if (isMessage(this.kind(at))) return at;
    return -1;
  }

  #beside(text: number, conversation: number, step: 1 | -1): number {
    const next = text + step;
    const part = this.parts[this.#partOf[text] ?? 0];
    if (part === undefined) return -1;
    const isInside = next >= part.base && next < part.base + part.table.count;
    if (isInside && part.table.conversations[next - part.base] === conversation) return next;
    const runs = this.#runsOf(conversation);
    const beside = runs[runs.findIndex(({ from, to }) => text >= from && text < to) + step];
    if (beside === undefined) return -1;
    return step === 1 ? beside.from : beside.to - 1;
  }

  #runsOf(conversation: number): readonly Run[] {
    const known = this.#runs.get(conversation);
    if (known !== undefined) return known;
    const runs: Run[] = [];
    for (const { base, table } of this.parts) {
      const from = firstAtLeast(table.conversations, conversation);
      const to = firstAtLeast(table.conversations, conversation + 1);
      if (from < to) runs.push({ from: base + from, to: base + to });
    }
    runs.sort((a, b) => this.event(a.from) - this.event(b.from));
    this.#runs.set(conversation, runs);
    return runs;
  }

  #at(text: number, column: Exclude<keyof TextTable, "count">): number {
    const part = this.parts[this.#partOf[text] ?? 0];
    return part?.table[column][text - part.base] ?? 0;
  }
}

function firstAtLeast(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
