/** Tokens of a block as the model sees it: its rendered text, headers included, and its picture or document. */
import type { Block } from "../block/block.ts";
import type { CountTokens } from "../ports.ts";
import type { MessageBlock } from "../render/message.ts";
import type { Entry } from "../state/entry.ts";
import { binaryTokens } from "./estimate.ts";

export function estimateMessages(messages: readonly MessageBlock[], block: Block, countText: CountTokens): number {
  let tokens = 0;
  for (const message of messages) tokens += message.type === "text" ? countText(message.text) : binaryTokens(block);
  // A counter may give fractions; a count that is kept is whole.
  return Math.ceil(tokens);
}

/** Tokens an entry takes up now, under its overlay or clip if it has one. Counted once; it must have been rendered. */
export function shownTokens(entry: Entry, countText: CountTokens): number {
  const view = entry.view ?? [];
  if (entry.isWhole) {
    entry.tokens ??= estimateMessages(view, entry.block, countText);
    return entry.tokens;
  }
  entry.coveredTokens ??= estimateMessages(view, entry.block, countText);
  return entry.coveredTokens;
}
