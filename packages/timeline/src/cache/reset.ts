/**
 * Declared resets: the reasons for which something already sent to a model may look different in the next request.
 * Whatever changes the prefix says so with one of these; a change nobody declared is a bug.
 */
export type ResetCause = "ttl_prune" | "turn_prune" | "hide" | "compaction" | "system_changed" | "tools_changed";

export interface DeclaredReset {
  readonly cause: ResetCause;
  /** Number of blocks the reset covered or removed, where it is about blocks. */
  readonly blocks?: number;
  /** Tokens that are no longer shown. */
  readonly tokens?: number;
}
