/** The content that reading a row returns: the full content if it was stored, otherwise the extract. */
import { type SourceRow, textField } from "./row.ts";

export function readSource(row: SourceRow): string {
  return textField(row, "content") ?? textField(row, "text") ?? "";
}
