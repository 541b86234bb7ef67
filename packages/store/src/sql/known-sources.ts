/** Which sources existed when a block was written, if it does not record it: the highest SID before its event. */
import { sourcesKnownIn } from "@cairn/timeline";
import type { FoundBlock } from "../contract/records.ts";
import { journalOf, type Lined } from "./lineage.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Work } from "./work.ts";

/** The highest SID assigned before event `seq`; 0 when there was none. */
export function* highestSidBefore(db: SqlDatabase, conversation: Lined, seq: number): Work<number> {
  const sql = `SELECT max(sid) AS sid FROM ${journalOf(conversation, "pool")} AND seq < ?`;
  return (yield* db.get<{ sid: number | null }>(sql, conversation.id, seq))?.sid ?? 0;
}

/** The highest SID that each block's text can cite. Takes two queries, however many blocks there are. */
export function* knownSources(
  db: SqlDatabase,
  conversation: Lined,
  blocks: readonly FoundBlock[],
): Work<(block: FoundBlock) => number> {
  const untold = blocks.filter(({ block }) => sourcesKnownIn(block.meta) === null).map(({ seq }) => seq);
  const first = untold.reduce((least, seq) => Math.min(least, seq), Number.POSITIVE_INFINITY);
  const last = untold.reduce((most, seq) => Math.max(most, seq), 0);
  const before = untold.length === 0 ? 0 : yield* highestSidBefore(db, conversation, first);
  const given =
    first >= last
      ? []
      : yield* db.all<{ sid: number; seq: number }>(
          `SELECT sid, seq FROM ${journalOf(conversation, "pool")} AND seq >= ? AND seq < ? ORDER BY seq`,
          conversation.id,
          first,
          last,
        );
  const highest: { seq: number; sid: number }[] = [];
  for (const { sid, seq } of given) highest.push({ seq, sid: Math.max(sid, highest.at(-1)?.sid ?? before) });
  return ({ block, seq }) => sourcesKnownIn(block.meta) ?? highest[lastBefore(highest, seq)]?.sid ?? before;
}

/** Index of the last item before `seq`; -1 when there is none. */
function lastBefore(items: readonly { readonly seq: number }[], seq: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.seq ?? seq) < seq) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
