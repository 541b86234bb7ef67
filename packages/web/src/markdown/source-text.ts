/** How the app shows a row of the pool. */
import type { SourceRow } from "@cairn/timeline";

/** The whole text of a row; empty for a picture or a PDF, whose file must be opened. */
export function sourceText(row: SourceRow): string {
  return [row.content, row.text].find((each): each is string => typeof each === "string" && each !== "") ?? "";
}

export function sourceTitle(row: SourceRow): string {
  return (
    [row.title, row.url, row.artifact_path].find((each) => typeof each === "string" && each !== "") ??
    `Source ${row.sid}`
  );
}
