/**
 * Checkpoints: the message blocks after which a provider is asked to keep its cache.
 *
 * The `seed` strategy places up to three checkpoints, on blocks that are really emitted:
 * 1. the last block before the current turn's header, so that the history before the turn stays cached whatever happens
 *    to the turn;
 * 2. pre-tail, the end of round max(0, n - 1 - offset) of n rounds, so that the agent can still hide the last rounds;
 * 3. tail, the last stable block. Checkpoints at the same place count as one. The sources and the announcement after
 *    the last stable block are never cached.
 *
 * The `economic` strategy puts checkpoint 2 where the previous request ended. A provider writes a cache entry at the
 * last checkpoint of a request, and looks back from each checkpoint over at most 20 wire blocks. A checkpoint at the
 * end of the previous request finds its entry however much one decision added, so every token is written once and read
 * afterwards. A checkpoint at the pre-tail place of `seed` would find no further entry.
 */
export type CacheStrategy = "seed" | "economic";

export interface CheckpointSettings {
  readonly cache_point_min_rounds: number;
  readonly cache_point_offset_rounds: number;
}

/** Settings given by the caller; absent ones keep their default. */
export type CheckpointOptions = { readonly [K in keyof CheckpointSettings]?: CheckpointSettings[K] | undefined };

export function checkpointSettings(options: CheckpointOptions = {}): CheckpointSettings {
  return {
    cache_point_min_rounds: options.cache_point_min_rounds ?? 2,
    cache_point_offset_rounds: options.cache_point_offset_rounds ?? 4,
  };
}

/** The facts about a rendered slice that are needed to place checkpoints. */
export interface RenderedSlice {
  /** Number of stable message blocks. */
  readonly length: number;
  readonly roundCount: number;
  /** Number of message blocks emitted up to the end of a round. */
  emittedThroughRound(round: number): number;
  /** Number of message blocks before the first block of the last decision. */
  readonly emittedBeforeLastDecision: number;
  /** Number of message blocks emitted before the header of a turn; null when the slice does not hold the header. */
  emittedBeforeTurn(turnId: string): number | null;
}

export interface Placement {
  readonly strategy: CacheStrategy;
  readonly currentTurn: string | null;
  readonly settings: CheckpointSettings;
  /** Number of stable message blocks in the previous request; otherwise estimated from the rounds. */
  readonly previousLength?: number | undefined;
}

/** Places the checkpoints. Returns indices of message blocks, ascending. */
export function placeCheckpoints(slice: RenderedSlice, placement: Placement): number[] {
  const { strategy, currentTurn, settings, previousLength } = placement;
  const before = currentTurn === null ? null : slice.emittedBeforeTurn(currentTurn);
  const middle =
    strategy === "seed"
      ? emittedThroughPreTail(slice, settings)
      : Math.min(previousLength ?? slice.emittedBeforeLastDecision, slice.length);
  const counts = [before ?? 0, middle, slice.length];
  return [...new Set(counts.filter((count) => count > 0).map((count) => count - 1))].sort((a, b) => a - b);
}

/** Number of message blocks up to and including the pre-tail checkpoint; 0 when there is none. */
export function emittedThroughPreTail(slice: RenderedSlice, settings: CheckpointSettings): number {
  const rounds = slice.roundCount;
  if (rounds === 0 || rounds < settings.cache_point_min_rounds) return 0;
  return slice.emittedThroughRound(Math.max(0, rounds - 1 - settings.cache_point_offset_rounds));
}
