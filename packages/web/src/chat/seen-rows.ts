/** The visible rows and their positions. They define the reader's place when rows around them change. */

export interface SeenRow {
  readonly key: string;
  /** Distance from the top of the list, in pixels. */
  readonly top: number;
  /** Parts of the row at the top of the list, innermost first, because content above these parts may change, too. */
  readonly parts: readonly { readonly element: Element; readonly top: number }[];
}

/** The rendered rows, in order. */
export type DrawnRows = ReadonlyMap<string, Element>;

const MAX_DEPTH = 12;

/** The visible rows, and the parts of the first one. */
export function seeRows(list: Element, drawn: DrawnRows): SeenRow[] {
  const { top: from, height } = list.getBoundingClientRect();
  const seen: SeenRow[] = [];
  for (const [key, element] of drawn) {
    const { top, bottom } = element.getBoundingClientRect();
    if (bottom <= from + 1 || top >= from + height) continue;
    seen.push({ key, top: top - from, parts: seen.length === 0 ? partsAt(element, from) : [] });
  }
  return seen;
}

function partsAt(row: Element, line: number): SeenRow["parts"] {
  const parts: SeenRow["parts"][number][] = [];
  let part: Element | undefined = row;
  // A part that begins in the visible area is precise enough, so its own parts are not needed.
  while (part !== undefined && parts.length < MAX_DEPTH && part.getBoundingClientRect().top < line) {
    part = [...part.children].find((child) => child.getBoundingClientRect().bottom > line + 1);
    if (part !== undefined) parts.unshift({ element: part, top: part.getBoundingClientRect().top - line });
  }
  return parts;
}

/** How far the first row or part that is still rendered has moved down; null if none is rendered any more. */
export function displacementOf(seen: readonly SeenRow[], list: Element, drawn: DrawnRows): number | null {
  const from = list.getBoundingClientRect().top;
  for (const { key, top, parts } of seen) {
    const row = drawn.get(key);
    if (row === undefined) continue;
    const part = parts.find(({ element }) => row.contains(element)) ?? { element: row, top };
    return part.element.getBoundingClientRect().top - from - part.top;
  }
  return null;
}

/** The same rows, moved down by this many pixels. */
export function lower(seen: readonly SeenRow[], by: number): SeenRow[] {
  return seen.map(({ key, top, parts }) => ({
    key,
    top: top + by,
    parts: parts.map((part) => ({ ...part, top: part.top + by })),
  }));
}
