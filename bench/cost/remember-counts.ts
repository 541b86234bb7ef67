/** Caches token counts, because the benchmark counts the same texts again and again. */
import type { CountTokens } from "@cairn/timeline";

/** Counts each text once: a replay meets the same texts in every request, scheme and market. */
export function rememberCounts(countTokens: CountTokens): CountTokens {
  const counts = new Map<string, number>();
  return (text) => {
    let tokens = counts.get(text);
    if (tokens === undefined) {
      tokens = countTokens(text);
      counts.set(text, tokens);
    }
    return tokens;
  };
}
