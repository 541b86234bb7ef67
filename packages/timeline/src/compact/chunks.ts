/**
 * The requests that ask a model for a summary.
 *
 * Usually the request reuses the conversation's own prefix: the same tools, system text and blocks, and one instruction
 * after them, so that the prefix is read from the cache. A range that is larger than a request can carry is given in
 * chunks, oldest first, each in a request of its own with the summary of the chunks before it.
 */
import type { CountTokens } from "../base/ports.ts";
import { shownTokens } from "../render/estimate-messages.ts";
import { RenderedView } from "../render/rendered-view.ts";
import type { Entry } from "../state/entry.ts";
import { clipTokens } from "./clip-tokens.ts";
import type { CompactionPlan } from "./compaction-plan.ts";
import { PREFIX_TOKENS, PROSE_TOKENS, SPLIT_TURN_HEADING } from "./compose-summary.ts";
import { legalCuts } from "./cut.ts";

const HEADINGS = "Use these headings: Goal, Constraints, Progress, Decisions, Next Steps, Critical Context.";
const RULES =
  "Keep names, numbers and decisions exact. Paths, files and sources are listed for you elsewhere: do not repeat them. Call no tool.";
const CUT_MARK = "… [cut]\n\n";

/** The instruction for the prose of the covered range, appended to the conversation. */
export function summaryInstruction(plan: CompactionPlan): string {
  const last = plan.covered.at(-1)?.block.path;
  return [
    `Summarise the conversation above up to and including ${last ?? "the last block before the cut"}, for yourself: you will go on with the summary in place of it.`,
    `${HEADINGS} At most ${PROSE_TOKENS} tokens.`,
    RULES,
  ].join("\n");
}

/** The instruction to summarise the beginning of a turn that the cut splits; null when no turn is split. */
export function prefixInstruction(plan: CompactionPlan): string | null {
  if (plan.splitTurn === null) return null;
  return `Summarise in at most ${PREFIX_TOKENS} tokens what was asked and done so far in ${plan.splitTurn}, before the cut. It is shown under ${SPLIT_TURN_HEADING} Call no tool.`;
}

/** The instruction for one of several chunks. `tokens` limits its answer. */
export function chunkInstruction(part: number, parts: number, tokens: number): string {
  return [
    `Above is part ${part} of ${parts} of what is to be summarised, oldest first. Summarise it together with the summary of the parts before it, if there is one, for yourself: you will go on with your summary in place of all parts.`,
    `${HEADINGS} At most ${tokens} tokens.`,
    RULES,
  ].join("\n");
}

/** Splits the covered entries where a compaction could cut, into runs of at most `maxTokens` if possible. */
export function summaryChunks(covered: readonly Entry[], maxTokens: number, countTokens: CountTokens): Entry[][] {
  const cuts = [...legalCuts(covered), covered.length];
  const chunks: Entry[][] = [];
  let chunk: Entry[] = [];
  let tokens = 0;
  let start = 0;
  for (const cut of cuts) {
    const part = covered.slice(start, cut);
    const size = part.reduce((sum, entry) => sum + shownTokens(entry, countTokens), 0);
    if (chunk.length > 0 && tokens + size > maxTokens) {
      chunks.push(chunk);
      chunk = [];
      tokens = 0;
    }
    for (const entry of part) chunk.push(entry);
    tokens += size;
    start = cut;
  }
  if (chunk.length > 0) chunks.push(chunk);
  return chunks;
}

/** The text of a chunk's request within `maxTokens`: the summary of the earlier chunks, and the texts of this chunk. */
export function renderChunk(
  chunk: readonly Entry[],
  earlier: string | null,
  maxTokens: number,
  countTokens: CountTokens,
): RenderedView {
  const parts = chunk.flatMap((entry) => entry.view ?? []);
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const before = earlier === null ? [] : [`[SUMMARY OF THE PARTS BEFORE]\n${earlier}\n\n`];
  const room = maxTokens - before.reduce((sum, text) => sum + countTokens(text), 0);
  const messages = [...before, ...clipEach(texts, room, countTokens)].map((text) => ({ type: "text" as const, text }));
  return new RenderedView(messages, messages.length, [], [], messages.length === 0 ? [] : [0]);
}

/** Clips the texts to a number of tokens in all: the smallest stay whole, and the others share the rest. */
function clipEach(texts: readonly string[], room: number, countTokens: CountTokens): string[] {
  const sizes = texts.map((text, index) => ({ index, tokens: countTokens(text) }));
  const clipped = [...texts];
  const mark = countTokens(CUT_MARK);
  let left = Math.max(0, room);
  for (const [nth, { index, tokens }] of sizes.sort((a, b) => a.tokens - b.tokens).entries()) {
    const share = Math.floor(left / (sizes.length - nth));
    if (tokens > share) clipped[index] = clipTokens(texts[index] ?? "", share - mark, countTokens) + CUT_MARK;
    left -= Math.min(tokens, share);
  }
  return clipped;
}
