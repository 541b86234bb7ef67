/** Searches long files: a read shows only their beginning, and `react.search_files` finds lines in all parts. */
import { isJsonObject, parseJsonObject } from "@cairn/timeline";
import { isAttached, SEARCH_FILES } from "./found-lines.ts";
import type { ToolFinding } from "./read-view.ts";
import type { OfflineDecision, Situation } from "./situation.ts";
import { wordsOf } from "./words.ts";

/** The number of words that are searched, the longest first. Long words are usually rare and find few lines. */
const MAX_WORDS = 4;

/** Searches the attached files of which only a part was read, once per turn; null without such files. */
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
