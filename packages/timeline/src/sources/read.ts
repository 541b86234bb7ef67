/** What reading a row gives: the full content where it was kept, else the extract. */
import { type SourceRow, textField } from "./row.ts";

export function readSource(row: SourceRow): string {
  return textField(row, "content") ?? textField(row, "text") ?? "";
}
