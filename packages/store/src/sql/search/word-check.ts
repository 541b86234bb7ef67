/** Checks that the search index contains the words of a conversation's events, and no others. */
import { CairnError, indexRows, type TimelineEvent } from "@cairn/timeline";
import { analyseText, countTerms } from "../../recall/analyse.ts";
import type { ConversationRow } from "../conversations.ts";
import type { SqlDatabase } from "../sql-database.ts";
import type { IndexedConversation } from "../text-index.ts";
import type { Work } from "../work.ts";
import { readTerms } from "./read-terms.ts";
import { ScopeTexts } from "./scope-texts.ts";
import { type OpenSegment, openSegment, segmentSizes } from "./segment-rows.ts";
import { codeOf } from "./text-table.ts";

interface Expected {
  readonly event: number;
  readonly seq: number;
  readonly length: number;
  readonly kind: number;
}

/** Number of texts of a conversation whose terms are all checked. */
const SAMPLES = 100;

/** Takes the events of one conversation in order, and then reports how many are not indexed correctly. */
export class WordCheck {
  readonly #expected: Expected[] = [];
  /** Terms of sample texts, spread over the conversation. */
  readonly #samples = new Map<number, ReadonlyMap<string, number>>();
  #stride = 1;

  add(event: TimelineEvent, { id, seq }: { readonly id: number; readonly seq: number }): void {
    for (const { text, type } of indexRows(event).texts) {
      const analysed = analyseText(text);
      const { length } = analysed;
      if (analysed.terms.length === 0) continue;
      if (this.#expected.length % this.#stride === 0) this.#sample(id, countTerms(analysed));
      this.#expected.push({ event: id, seq, length, kind: codeOf(type) });
    }
  }

  #sample(event: number, terms: ReadonlyMap<string, number>): void {
    this.#samples.set(event, terms);
    if (this.#samples.size < SAMPLES) return;
    this.#stride *= 2;
    for (const [nth, each] of [...this.#samples.keys()].entries()) if (nth % 2 === 1) this.#samples.delete(each);
  }

  /** Inside a read transaction, after all events of the conversation were added. */
  *countWrong(db: SqlDatabase, row: ConversationRow): Work<number> {
    const wanted = this.#expected.filter(({ seq }) => seq <= row.indexed_seq);
    try {
      const texts = new ScopeTexts(yield* allSegments(db, row.scope));
      const held = new Map([...texts.textsOf(row.id)].map((text) => [texts.events[text] ?? 0, text]));
      const wrong = wanted.filter(({ event, length, kind }) => {
        const text = held.get(event);
        held.delete(event);
        return text === undefined || texts.lengths[text] !== length || texts.kinds[text] !== kind;
      });
      return wrong.length + held.size + (yield* this.#wrongSamples(db, texts, row));
    } catch (error) {
      // An index that cannot be decoded is reported as damaged.
      if (CairnError.is(error) && error.code === "corrupt") return Math.max(1, wanted.length);
      throw error;
    }
  }

  *#wrongSamples(db: SqlDatabase, texts: ScopeTexts, { id }: ConversationRow): Work<number> {
    const sampled = new Map<number, ReadonlyMap<string, number>>();
    for (const text of texts.textsOf(id)) {
      const terms = this.#samples.get(texts.events[text] ?? 0);
      if (terms !== undefined) sampled.set(text, terms);
    }
    const all = new Set([...sampled.values()].flatMap((terms) => [...terms.keys()]));
    const found = new Map<number, number>();
    for (const [term, lists] of yield* readTerms(db, texts, all, []))
      for (const { texts: numbers, counts } of lists)
        for (let nth = 0; nth < numbers.length; nth++) {
          const text = numbers[nth] ?? 0;
          if (sampled.get(text)?.get(term) === counts[nth]) found.set(text, (found.get(text) ?? 0) + 1);
        }
    return [...sampled].filter(([text, terms]) => found.get(text) !== terms.size).length;
  }
}

/** Conversations that no longer exist but still have indexed words. */
export function* strayWords(db: SqlDatabase): Work<IndexedConversation[]> {
  const strays: IndexedConversation[] = [];
  for (const { scope } of yield* db.all<{ scope: number }>("SELECT DISTINCT scope FROM search_segments")) {
    const live = new Set(
      (yield* db.all<{ id: number }>("SELECT id FROM conversations WHERE scope = ?", scope)).map(({ id }) => id),
    );
    const indexed = new Set<number>();
    for (const { table } of yield* readableSegments(db, scope)) for (const id of table.conversations) indexed.add(id);
    for (const id of indexed.difference(live)) strays.push({ id, scope });
  }
  return strays;
}

function* allSegments(db: SqlDatabase, scope: number): Work<OpenSegment[]> {
  const segments: OpenSegment[] = [];
  for (const { id } of yield* segmentSizes(db, scope)) {
    const segment = yield* openSegment(db, id);
    if (segment !== null) segments.push(segment);
  }
  return segments;
}

/** Yields nothing for a damaged segment; the check of its conversations reports it. */
function* readableSegments(db: SqlDatabase, scope: number): Work<OpenSegment[]> {
  try {
    return yield* allSegments(db, scope);
  } catch (error) {
    if (CairnError.is(error) && error.code === "corrupt") return [];
    throw error;
  }
}
