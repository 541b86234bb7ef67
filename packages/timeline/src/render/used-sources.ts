/** The sources the visible context cites or read back. These sources keep their lines when others fold. */
import { sourceIds } from "../block/digest.ts";
import { firstLines } from "../block/lines.ts";
import { extractCitations } from "../citation/extract-citations.ts";
import { sidsOfPath } from "../path/pool-path.ts";
import type { Entry } from "../state/entry.ts";

/** The part of a block's text that its clip leaves. */
function shownText({ block, clip }: Entry): string {
  const text = block.text ?? "";
  return clip === null ? text : firstLines(text, clip.shown_lines);
}

export class UsedSources {
  readonly #sids = new Set<number>();
  #taken = 0;

  /** Adds the new entries of `slice`, which only grows between calls. */
  update(slice: readonly Entry[], from: number): ReadonlySet<number> {
    for (this.#taken = Math.max(this.#taken, from); this.#taken < slice.length; this.#taken++) {
      const entry = slice[this.#taken];
      if (entry !== undefined && entry.overlay === null) this.#add(entry);
    }
    return this.#sids;
  }

  #add(entry: Entry): void {
    const { block, digest } = entry;
    for (const sid of sourceIds(block.meta?.sources_used)) this.#sids.add(sid);
    for (const sid of digest?.sources_used ?? []) this.#sids.add(sid);
    const text = shownText(entry);
    if (text !== "") for (const sid of extractCitations(text, "markdown")) this.#sids.add(sid);
    if (entry.traits.showsAgain === true) for (const sid of sidsOfPath(block.path)) this.#sids.add(sid);
  }
}
