/**
 * A segment: the index of some texts of one scope. It is written once; when there are several of one size they are
 * merged into a larger one. Pure: what it does to rows stands in `segment-rows.ts`.
 */
import type { Postings } from "../../recall/rank.ts";
import { encodeTerms, readBlock, type TermBlocks } from "./term-blocks.ts";
import { compareTexts, type IndexedText, type TextTable, tableOf, textsOf } from "./text-table.ts";

export interface Segment extends TermBlocks {
  readonly table: TextTable;
}

/** Its terms may be listed several times: their counts add up. */
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

/** One segment with the texts of all of them that `keeps` keeps. */
export function mergeSegments(
  segments: readonly { readonly table: TextTable; readonly blocks: readonly Uint8Array[] }[],
  keeps: (text: IndexedText) => boolean,
): Segment {
  const kept = segments.flatMap(({ table }, segment) =>
    [...textsOf(table)].map((text, number) => ({ text, segment, number })).filter(({ text }) => keeps(text)),
  );
  kept.sort((a, b) => compareTexts(a.text, b.text));
  /** New numbers by old ones; -1 for what is left out. */
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
    const found: { readonly text: number; readonly count: number }[] = [];
    for (const [nth, head] of heads.entries()) {
      if (head.done === true || head.value[0] !== term) continue;
      const { texts, counts } = head.value[1];
      for (let at = 0; at < texts.length; at++) {
        const text = numbers[nth]?.[texts[at] ?? 0] ?? -1;
        if (text >= 0) found.push({ text, count: counts[at] ?? 1 });
      }
      heads[nth] = cursors[nth]?.next() ?? head;
    }
    if (found.length === 0) continue;
    found.sort((a, b) => a.text - b.text);
    yield [term, { texts: found.map(({ text }) => text), counts: found.map(({ count }) => count) }];
  }
}
