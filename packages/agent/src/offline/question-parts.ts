/** The parts of a message that asks for several results: "sum of units and average price by region". */
import { folded } from "./phrases/language.ts";
import { OPERATIONS } from "./table-words.ts";
import { wordsOf } from "./words.ts";

const JOIN =
  /([?;]\s+|,?\s+(?:and|und|et|sowie|&)\s+|,\s+)(?:(?:the|die|der|das|den|dem|von|of|la|le|les|in)\s+)*([\p{L}]+)/giu;
const ASKING = /^(?:which|what|who|how|welche[nrsm]?|wie|wieviele?|was|wer|quel(?:le)?s?|combien|qui)$/;
const TAIL = /\s(?:by|per|for|in|where|from|nach|pro|je|fur|im|par|pour|dans)\s.+$/i;

/** At least one part. A part without its own group and condition has the group and condition of the last part. */
export function partsOf(question: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let isShared = true;
  for (const { 0: all, 1: join = "", 2: word = "", index } of question.matchAll(JOIN)) {
    const next = folded(word).toLowerCase();
    const [stem = ""] = wordsOf(next);
    const isQuestion = ASKING.test(next);
    if (!isQuestion && !Object.values(OPERATIONS).some((words) => words.has(stem))) continue;
    if (all.startsWith("?") || isQuestion) isShared = false;
    parts.push(question.slice(from, index));
    from = index + join.length;
  }
  const last = question.slice(from);
  const tail = TAIL.exec(last.replace(/[\s?.!]+$/, ""))?.[0] ?? "";
  return [...parts.map((part) => (isShared && !TAIL.test(part) ? part + tail : part)), last];
}
