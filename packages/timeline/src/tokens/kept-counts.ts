/**
 * Instructions and the descriptions of tools are counted in every round. The counts of the texts that were used last are
 * kept, so that each is counted once.
 */
import type { CountTokens } from "../base/ports.ts";

export const KEPT_TEXTS = 16;
/** Limits of the texts that are kept: shorter ones are counted in less than 0.1 ms, longer ones are rarely repeated. */
const MIN_CHARS = 500;
const MAX_CHARS = 200_000;

export function keepCounts(count: CountTokens): CountTokens {
  const kept = new Map<string, number>();
  return (text) => {
    if (text.length < MIN_CHARS || text.length > MAX_CHARS) return count(text);
    const tokens = kept.get(text) ?? count(text);
    // A map has its entries in the order of their insertion: the text that was used last becomes the last one.
    kept.delete(text);
    kept.set(text, tokens);
    const [oldest = text] = kept.keys();
    if (kept.size > KEPT_TEXTS) kept.delete(oldest);
    return tokens;
  };
}
