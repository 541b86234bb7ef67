/** Citations as references, numbered in the order of first citation. A token with only unknown SIDs stays text. */
import type { Inline, RichDocument } from "./document.ts";
import { allInlines } from "./walk.ts";

/** The fields of a pool row that a reference needs. */
export interface CitedSource {
  readonly title: string;
  /** The URL of the source, `http:` or `https:`; null for a file. */
  readonly url: string | null;
  /** Text after the title: a domain, a file name, a date. */
  readonly detail: string;
}

export interface Reference extends CitedSource {
  readonly number: number;
}

export type NumberedSids = ReadonlyMap<number, Reference>;

export function numberSources(
  document: Pick<RichDocument, "blocks" | "footnotes">,
  sources: ReadonlyMap<number, CitedSource>,
): NumberedSids {
  const numbered = new Map<number, Reference>();
  for (const inline of allInlines(document)) if (inline.kind === "citation") numberSids(inline.sids, sources, numbered);
  return numbered;
}

/** Assigns the next numbers to SIDs that have a source and no number yet. */
export function numberSids(
  sids: readonly number[],
  sources: ReadonlyMap<number, CitedSource>,
  numbered: Map<number, Reference>,
): void {
  for (const sid of sids) {
    const source = sources.get(sid);
    if (source !== undefined && !numbered.has(sid)) numbered.set(sid, { ...source, number: numbered.size + 1 });
  }
}

/** The reference numbers of one citation, ascending; empty when none of its SIDs is known. */
export function referencesOf(citation: Extract<Inline, { kind: "citation" }>, numbered: NumberedSids): Reference[] {
  return citation.sids.flatMap((sid) => numbered.get(sid) ?? []).sort((a, b) => a.number - b.number);
}

/** Removes spaces before references, which directly follow the text they support. */
export function closeUp(inlines: readonly Inline[], numbered: NumberedSids): readonly Inline[] {
  return inlines.map((inline, at) => {
    const next = inlines[at + 1];
    if (inline.kind !== "text" || next?.kind !== "citation" || referencesOf(next, numbered).length === 0) return inline;
    return { kind: "text", text: inline.text.trimEnd() };
  });
}
