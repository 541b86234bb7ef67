/**
 * How much of what was removed the agent reads back, at the beginning of the next turn.
 *
 * What is read back is a copy, and goes again when its turn ends. `once` counts a content as removed the first time
 * only: the given share of all contents is read again, each once. `again` draws anew each time a copy goes, so that
 * some contents are read back turn after turn: the hardest case for pruning, since keeping them would have been right.
 */
export interface Reread {
  /** By tokens, from 0 to 1. */
  readonly share: number;
  readonly how: "once" | "again";
}

export const REREADS: readonly Reread[] = [
  { share: 0, how: "once" },
  { share: 0.6, how: "once" },
  { share: 0.6, how: "again" },
];
