/** Long files: a read shows their beginning, and `react.search_files` finds lines in all of them. */
import { isJsonObject, parseJsonObject } from "@cairn/timeline";
import { isAttached, SEARCH_FILES } from "./found-lines.ts";
import type { ToolFinding } from "./read-view.ts";
import type { OfflineDecision, Situation } from "./situation.ts";
import { wordsOf } from "./words.ts";

/** Long words are usually rare. A search returns few lines of a file, but a line with a rare word is returned whole. */
const MAX_WORDS = 4;

/** Searches attached files that are longer than what was read of them, once per turn; null when there are none. */
export function searchRest({ offered, phrases, timeline, turn }: Situation, question: string): OfflineDecision | null {
  if (!offered.has(SEARCH_FILES) || turn.calls.some(({ tool }) => tool === SEARCH_FILES)) return null;
  if (!timeline.turns.some(({ findings }) => findings.some(showsPart))) return null;
  const words = [...new Set(question.match(/[\p{L}\p{N}]+/gu) ?? [])].filter((word) => wordsOf(word).length > 0);
  const longest = words.sort((a, b) => b.length - a.length).slice(0, MAX_WORDS);
  if (longest.length === 0) return null;
  const calls = longest.map((text) => ({ name: SEARCH_FILES, params: { text } }));
  return { text: phrases.searchLong, calls };
}

/** If a read shows only a part of a text, its status names the lines that are shown. */
function showsPart({ path, text, tool }: ToolFinding): boolean {
  if (tool !== "react.read" || !path.startsWith("tc:")) return false;
  const lines = parseJsonObject(text)?.lines;
  return isJsonObject(lines) && Object.keys(lines).some(isAttached);
}
