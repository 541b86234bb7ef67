/** A segment: the index of some texts of one scope, written once, later merged with others of similar size. Pure. */
import type { Postings } from "../../recall/rank.ts";
import { encodeTerms, readBlock, type TermBlocks } from "./term-blocks.ts";
import { compareTexts, type IndexedText, type TextTable, tableOf, textsOf } from "./text-table.ts";

export interface Segment extends TermBlocks {
  readonly table: TextTable;
}

/** A term may be listed several times; its counts are summed. */
export interface TextToIndex extends IndexedText {
  readonly terms: readonly string[];
  readonly counts: readonly number[];
}

interface TermList {
  readonly texts: number[];
  readonly counts: number[];
}

export function buildSegment(texts: readonly TextToIndex[]): Segment {
  const sorted = [...texts].sort(compareTexts);
  const lists = new Map<string, TermList>();
  for (const [number, { terms, counts }] of sorted.entries())
    for (const [nth, term] of terms.entries()) {
      const list = lists.get(term);
      const count = counts[nth] ?? 1;
      if (list === undefined) lists.set(term, { texts: [number], counts: [count] });
      else if (list.texts[list.texts.length - 1] === number)
        list.counts[list.counts.length - 1] = (list.counts.at(-1) ?? 0) + count;
      else {
        list.texts.push(number);
        list.counts.push(count);
      }
    }
  const terms = [...lists].sort(([a], [b]) => (a < b ? -1 : 1));
  return { table: tableOf(sorted), ...encodeTerms(terms) };
}

/** One segment with all texts that `keeps` accepts. */
export function mergeSegments(
  segments: readonly { readonly table: TextTable; readonly blocks: readonly Uint8Array[] }[],
  keeps: (text: IndexedText) => boolean,
): Segment {
  const kept = segments.flatMap(({ table }, segment) =>
    [...textsOf(table)].map((text, number) => ({ text, segment, number })).filter(({ text }) => keeps(text)),
  );
  kept.sort((a, b) => compareTexts(a.text, b.text));
  /** Maps old numbers of texts to new ones; -1 for removed texts. */
  const numbers = segments.map(({ table }) => new Int32Array(table.count).fill(-1));
  for (const [number, each] of kept.entries()) (numbers[each.segment] ?? [])[each.number] = number;
  const cursors = segments.map(({ blocks }) => allTerms(blocks));
  return { table: tableOf(kept.map(({ text }) => text)), ...encodeTerms(mergedTerms(cursors, numbers)) };
}

type Terms = Generator<readonly [string, Postings]>;

function* allTerms(blocks: readonly Uint8Array[]): Terms {
  for (const block of blocks) yield* readBlock(block, () => true);
}

function* mergedTerms(cursors: readonly Terms[], numbers: readonly Int32Array[]): Terms {
  const heads = cursors.map((cursor) => cursor.next());
  for (;;) {
    let term: string | null = null;
    for (const head of heads) if (head.done !== true && (term === null || head.value[0] < term)) term = head.value[0];
    if (term === null) return;
    const merged = new MergedList();
    for (const [nth, head] of heads.entries()) {
      if (head.done === true || head.value[0] !== term) continue;
      merged.add(head.value[1], numbers[nth]);
      heads[nth] = cursors[nth]?.next() ?? head;
    }
    if (merged.texts.length > 0) yield [term, merged.inOrder()];
  }
}

/** The texts of one term from several segments, under their new numbers. */
class MergedList implements TermList {
  texts: number[] = [];
  counts: number[] = [];
  #isInOrder = true;

  /** A text whose new number is -1 is skipped. */
  add({ texts, counts }: Postings, numbers: Int32Array | undefined): void {
    for (let at = 0; at < texts.length; at++) {
      const text = numbers?.[texts[at] ?? 0] ?? -1;
      if (text < 0) continue;
      if (text < (this.texts[this.texts.length - 1] ?? -1)) this.#isInOrder = false;
      this.texts.push(text);
      this.counts.push(counts[at] ?? 1);
    }
  }

  inOrder(): TermList {
    if (this.#isInOrder) return this;
    const order = [...this.texts.keys()].sort((a, b) => (this.texts[a] ?? 0) - (this.texts[b] ?? 0));
    return { texts: order.map((at) => this.texts[at] ?? 0), counts: order.map((at) => this.counts[at] ?? 1) };
  }
}
