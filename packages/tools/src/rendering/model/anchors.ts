/** Anchors of headings for links inside a document, as common Markdown hosts make them: `#what-we-found`. */
export class Anchors {
  readonly #taken = new Map<string, number>();

  /** Makes a unique anchor of a text: for the second `Notes` it is `notes-1`. */
  claim(text: string): string {
    const base =
      text
        .toLowerCase()
        .trim()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replace(/\s/g, "-")
        .slice(0, 100) || "section";
    const count = this.#taken.get(base) ?? 0;
    this.#taken.set(base, count + 1);
    if (count === 0) return base;
    return this.claim(`${base}-${count}`);
  }
}
