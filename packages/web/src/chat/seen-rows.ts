/** The rows in sight and where they stand, as what a reader's place is known by when the rows around it change. */

export interface SeenRow {
  readonly key: string;
  /** Pixels from the top of the list. */
  readonly top: number;
  /** Parts of the row at the top of the list, innermost first: what is above them in the row may change too. */
  readonly parts: readonly { readonly element: Element; readonly top: number }[];
}

/** The drawn rows, in their order. */
export type DrawnRows = ReadonlyMap<string, Element>;

const MAX_DEPTH = 12;

/** The rows in sight, the first one with its parts. */
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
  // A part that begins in sight is exact enough.
  while (part !== undefined && parts.length < MAX_DEPTH && part.getBoundingClientRect().top < line) {
    part = [...part.children].find((child) => child.getBoundingClientRect().bottom > line + 1);
    if (part !== undefined) parts.unshift({ element: part, top: part.getBoundingClientRect().top - line });
  }
  return parts;
}

/** How far the first row or part that is still drawn stands below where it was seen; `null` if none is drawn. */
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

/** The same rows, each so many pixels lower. */
export function lower(seen: readonly SeenRow[], by: number): SeenRow[] {
  return seen.map(({ key, top, parts }) => ({
    key,
    top: top + by,
    parts: parts.map((part) => ({ ...part, top: part.top + by })),
  }));
}
