/** Finds where terms occur among the texts of a scope: one pass over the directories, then one query for all blocks. */
import type { Postings } from "../../recall/rank.ts";
import type { SqlDatabase } from "../sql-database.ts";
import type { Work } from "../work.ts";
import type { ScopeTexts } from "./scope-texts.ts";
import { type BlockPlace, readBlocks } from "./segment-rows.ts";
import { blockOf, readBlock } from "./term-blocks.ts";

/** A character that sorts after every character that a term can contain. */
const LAST = "\uFFFF";

export type TermLists = ReadonlyMap<string, readonly Postings[]>;

/** The lists of every term in `terms`, and of every term that begins with one of `prefixes`. */
export function* readTerms(
  db: SqlDatabase,
  texts: ScopeTexts,
  terms: ReadonlySet<string>,
  prefixes: readonly string[],
): Work<TermLists> {
  const places: BlockPlace[] = texts.parts.flatMap(({ id, directory }) => {
    const blocks = new Set<number>();
    for (const term of terms) blocks.add(blockOf(directory, term));
    for (const prefix of prefixes)
      for (let at = blockOf(directory, prefix), end = blockOf(directory, prefix + LAST); at <= end; at++)
        blocks.add(at);
    blocks.delete(-1);
    return [...blocks].map((block) => ({ segment: id, block }));
  });
  const bases = new Map(texts.parts.map(({ id, base }) => [id, base]));
  const isWanted = (term: string) => terms.has(term) || prefixes.some((prefix) => term.startsWith(prefix));
  const lists = new Map<string, Postings[]>();
  for (const { segment, data } of yield* readBlocks(db, places))
    for (const [term, postings] of readBlock(data, isWanted, bases.get(segment) ?? 0)) {
      const known = lists.get(term);
      if (known === undefined) lists.set(term, [postings]);
      else known.push(postings);
    }
  return lists;
}
