/** A cell as text of a Markdown table. */
import { withoutTokens } from "./wording.ts";

const MAX_CELL_LENGTH = 80;

export function cellText(cell: string): string {
  const line = withoutTokens(cell.replace(/\s+/g, " "));
  const short = line.length <= MAX_CELL_LENGTH ? line : `${line.slice(0, MAX_CELL_LENGTH).toWellFormed()}…`;
  return short.replace(/[\\|*_`[\]<]/g, "\\$&");
}
