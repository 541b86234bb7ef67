/**
 * A path in two columns, `fi` and `turn_1.files/a.md`. If sorted by the second column, all paths of a turn are
 * adjacent, and an append touches one or two pages of the index, and not one page for each kind of path.
 */
import { toColumn } from "./text-column.ts";

export interface PathColumns {
  readonly scheme: string;
  readonly rest: string;
}

export function pathColumns(path: string): PathColumns {
  const hasScheme = /^[a-z]{2}:/.test(path);
  return { scheme: hasScheme ? path.slice(0, 2) : "", rest: toColumn(hasScheme ? path.slice(3) : path) };
}
