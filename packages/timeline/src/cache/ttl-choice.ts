/**
 * The TTL of a conversation, from its own pauses.
 *
 * A longer TTL costs more on every token written and saves the whole history whenever the user comes back after the
 * short TTL and before the long one. Let m be the share of pauses between the two TTLs, l the share longer than both, W
 * the tokens that a turn adds and P the tokens before it. Per turn the long TTL costs (w_long - w_short) * (W + l * P)
 *    dearer writes of what is new, and of everything after a pause beyond both and saves m * P * (w_short - r)
 *       the history read instead of written. It pays when m > k * (W / P + l), with k = (w_long - w_short) / (w_short -
 * r), 0.65 at Anthropic's prices. So it never pays when more than 60 % of the long pauses are longer than both TTLs.
 * Unless the caller has measured it, W / P is taken as 1 in 13, a conversation of some twenty-five turns halfway
 * through: one pause in twenty is then enough. Where finished turns are pruned the history stays small, W / P is far
 * larger and the short TTL pays more often.
 *
 * Only the past is known. A conversation starts with the short TTL: the first pause costs little, because the history
 * is still short.
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
