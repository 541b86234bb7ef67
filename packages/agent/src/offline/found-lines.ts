/** Lines of attached files that a search found. */
import { isJsonObject, type JsonObject, parseJsonObject } from "@cairn/timeline";
import type { ToolFinding } from "./read-view.ts";

export const SEARCH_FILES = "react.search_files";

/** Lines that a search found in attached files; null for anything but the result of a search. */
export function foundLines({ text, tool }: ToolFinding) {
  if (tool !== SEARCH_FILES) return null;
  return objectsIn(parseJsonObject(text)?.files).flatMap(({ path, matches }) =>
    typeof path === "string" && isAttached(path)
      ? objectsIn(matches).flatMap(({ part, text: line }) =>
          typeof line === "string" ? [{ path, part: typeof part === "string" ? part : null, text: line }] : [],
        )
      : [],
  );
}

function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function isAttached(path: string): boolean {
  return path.includes(".user.attachments/");
}
