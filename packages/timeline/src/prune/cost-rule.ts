/**
 * Calculates when removing content from view saves cost.
 *
 * Removing b tokens saves reading them in each of the L requests still to come: b * L * r. The removal costs writing
 * the S tokens after them to the cache again instead of reading them: S * (w - r). A share ρ of the removed tokens is
 * read back later: they are written once more and then read: ρ * b * (w + r * L). All costs are in units of the base
 * input price. When the cache is cold everything is written anyway, so S counts as 0.
 */
export interface RemovalPrices {
  /** Price of reading a cached token. */
  readonly read: number;
  /** Price of writing a token to the cache. */
  readonly write: number;
  /** L: how many further requests the conversation is expected to make. */
  readonly expectedRequests: number;
  /** ρ: the share of the removed content that will be read again. */
  readonly rereadShare: number;
}

/** The gain of a removal in base input tokens; negative when it costs more than it saves. */
export function removalGain(removed: number, behind: number, prices: RemovalPrices): number {
  const { read, write, expectedRequests, rereadShare } = prices;
  const saved = removed * expectedRequests * read;
  const rewritten = behind * (write - read);
  const fetchedAgain = rereadShare * removed * (write + read * expectedRequests);
  return saved - rewritten - fetchedAgain;
}
