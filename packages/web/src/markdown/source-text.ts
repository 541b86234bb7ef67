/** The text of a row of the pool, as the app shows it. */
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

const LIBRARY = "corpus:///";

/** Where a row comes from, in words: a page of the library, a site, or the conversation. */
export function sourcePlace(row: SourceRow): string {
  if (typeof row.url === "string" && row.url.startsWith(LIBRARY)) return `Library: ${pathOf(row.url)}`;
  if (typeof row.domain === "string" && row.domain !== "") return row.domain;
  if (typeof row.url === "string" && URL.canParse(row.url)) return new URL(row.url).host;
  return row.source_type === "attachment"
    ? "Attached file"
    : row.source_type === "file"
      ? "File of this conversation"
      : "Source";
}

function pathOf(url: string): string {
  const path = url.slice(LIBRARY.length);
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // An imported source may have any address.
  }
}
