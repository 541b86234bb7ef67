/**
 * The TTL of a conversation, chosen from the pauses of the conversation.
 *
 * A longer TTL costs more for every token written. The longer TTL saves writing the history again whenever the user
 * comes back after the short TTL and before the long one. Let m be the share of pauses between the two TTLs, l the
 * share longer than both, W the tokens that a turn adds and P the tokens before the turn. Per turn, the long TTL adds
 * (w_long - w_short) * (W + l * P) for more expensive writes of new tokens, and of all tokens after a pause longer than
 * both TTLs. The long TTL saves m * P * (w_short - r), because the history is read instead of written. The long TTL
 * pays when m > k * (W / P + l), with k = (w_long - w_short) / (w_short - r), 0.65 at Anthropic's prices. So the long
 * TTL never pays when more than 60 % of the pauses beyond the short TTL are longer than both. W / P is 1 in 13 unless
 * the caller gives a measured value. This is its value in the middle of a conversation of about twenty-five turns,
 * where one pause in twenty between the TTLs is enough.
 *
 * Only past pauses are known. A conversation starts with the short TTL: its first pause costs little, because the
 * history is still short.
 */
import type { CacheTtl, ProviderRules } from "./providers.ts";

/** Tokens that a turn adds, as a share of the history before it. */
const TURN_SHARE = 1 / 13;

/**
 * `pausesSeconds`: known times between two turns' requests. `turnShare`: tokens that a turn adds, divided by those of
 * the history before it.
 */
export function chooseTtl(
  pausesSeconds: readonly number[],
  { read, write, ttlSeconds }: Pick<ProviderRules, "read" | "write" | "ttlSeconds">,
  turnShare = TURN_SHARE,
): CacheTtl {
  const saved = write["5m"] - read;
  let between = 0;
  let beyond = 0;
  for (const pause of pausesSeconds) {
    if (pause > ttlSeconds["1h"]) beyond++;
    else if (pause > ttlSeconds["5m"]) between++;
  }
  if (between === 0 || saved <= 0) return "5m";
  const turns = pausesSeconds.length;
  const dearer = (write["1h"] - write["5m"]) / saved;
  return between / turns > dearer * (turnShare + beyond / turns) ? "1h" : "5m";
}
