/** Tokens of a block as the model sees it: its rendered text, headers included, and its picture or document. */
import type { CountTokens } from "../base/ports.ts";
import type { Block } from "../block/block.ts";
import type { MessageBlock } from "../message/message.ts";
import type { Entry } from "../state/entry.ts";
import { binaryTokens } from "../tokens/estimate.ts";
import { MAX_RUN } from "../tokens/tokenizer.ts";
import { viewWhole } from "./block-view.ts";

export function estimateMessages(messages: readonly MessageBlock[], block: Block, countText: CountTokens): number {
  let tokens = 0;
  for (const message of messages) tokens += message.type === "text" ? countText(message.text) : binaryTokens(block);
  // A counter may return fractions; a stored count is a whole number.
  return Math.ceil(tokens);
}

/** Current tokens of an entry, under its overlay or clip, counted once. The entry must have been rendered. */
export function shownTokens(entry: Entry, countText: CountTokens): number {
  const view = entry.view ?? [];
  if (entry.isWhole) {
    entry.tokens ??= estimateMessages(view, entry.block, countText);
    return entry.tokens;
  }
  entry.coveredTokens ??= estimateMessages(view, entry.block, countText);
  return entry.coveredTokens;
}

/** Minimum length of a text that is checked. For a shorter one, a wrong stored count does no harm. */
const HARMLESS_CHARS = 100_000;

/**
 * Whether the stored count is impossibly low: a token has at most `MAX_RUN` characters. The block would not be clipped.
 */
export function isUndercounted(entry: Entry): boolean {
  if (entry.tokens === null || (entry.block.text?.length ?? 0) <= HARMLESS_CHARS) return false;
  const chars = viewWhole(entry).reduce((sum, message) => sum + (message.type === "text" ? message.text.length : 0), 0);
  return chars > HARMLESS_CHARS && chars > entry.tokens * MAX_RUN;
}
