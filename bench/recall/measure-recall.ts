/** Measures how much of the evidence each contender finds, how fast it is, and how large its index is. */
import { spreadOf } from "../measure.ts";
import type { Contender, FilledContender } from "./contender.ts";
import { answerable, type RecallConversation, type RecallSet } from "./recall-set.ts";

export const DEPTHS = [5, 10, 20] as const;

export interface RecallResult {
  readonly set: string;
  readonly contender: string;
  readonly questions: number;
  /** The share of a question's evidence among the first 5, 10 and 20 hits, averaged over all questions; from 0 to 1. */
  readonly recall: readonly number[];
  /** The share of questions with all of their evidence among the first ten hits. */
  readonly all_at_10: number;
  readonly median_ms: number;
  readonly p95_ms: number;
  readonly index_bytes_per_message: number;
  /** Bytes of the index for each byte of text. */
  readonly index_per_text: number;
}

interface Tally {
  questions: number;
  readonly found: number[];
  complete: number;
  readonly times: number[];
  messages: number;
  textBytes: number;
  indexBytes: number;
}

export async function measureRecall(set: RecallSet, contenders: readonly Contender[]): Promise<RecallResult[]> {
  const results: RecallResult[] = [];
  for (const contender of contenders) {
    const tally: Tally = {
      questions: 0,
      found: DEPTHS.map(() => 0),
      complete: 0,
      times: [],
      messages: 0,
      textBytes: 0,
      indexBytes: 0,
    };
    for (const conversation of set.conversations) await measureConversation(contender, conversation, tally);
    results.push(resultOf(set.name, contender.name, tally));
  }
  return results;
}

async function measureConversation(contender: Contender, conversation: RecallConversation, tally: Tally) {
  const filled = await contender.fill(conversation.messages);
  try {
    tally.messages += conversation.messages.length;
    for (const { text } of conversation.messages) tally.textBytes += Buffer.byteLength(text);
    tally.indexBytes += await filled.indexBytes();
    for (const { question, evidence } of answerable(conversation)) await ask(filled, question, evidence, tally);
  } finally {
    await filled.close();
  }
}

async function ask(filled: FilledContender, question: string, evidence: readonly string[], tally: Tally) {
  const start = performance.now();
  const ids = await filled.find(question, Math.max(...DEPTHS));
  tally.times.push(performance.now() - start);
  tally.questions++;
  for (const [nth, depth] of DEPTHS.entries()) {
    const first = new Set(ids.slice(0, depth));
    const share = evidence.filter((id) => first.has(id)).length / evidence.length;
    tally.found[nth] = (tally.found[nth] ?? 0) + share;
    if (depth === 10 && share === 1) tally.complete++;
  }
}

function resultOf(set: string, contender: string, tally: Tally): RecallResult {
  const { questions, found, complete, times, messages, textBytes, indexBytes } = tally;
  const sorted = [...times].sort((a, b) => a - b);
  return {
    set,
    contender,
    questions,
    recall: found.map((sum) => sum / Math.max(1, questions)),
    all_at_10: complete / Math.max(1, questions),
    median_ms: spreadOf(times).median,
    p95_ms: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
    index_bytes_per_message: indexBytes / Math.max(1, messages),
    index_per_text: indexBytes / Math.max(1, textBytes),
  };
}
