/**
 * Declared resets: the reasons for which something already sent to a model may look different in the next request. Code
 * that changes the prefix must declare one of these; an undeclared change is a bug.
 */
export type ResetCause =
  | "ttl_prune"
  | "turn_prune"
  | "hide"
  | "clip"
  | "compaction"
  | "system_changed"
  | "tools_changed"
  | "renderer_changed"
  | "lowering_changed"
  | "reasoning_dropped"
  | "model_changed"
  | "output_changed";

export interface DeclaredReset {
  readonly cause: ResetCause;
  /** Number of blocks that the reset covered or removed, if it concerns blocks. */
  readonly blocks?: number;
  /** Number of tokens that the model no longer sees. */
  readonly tokens?: number;
}

/** Merges the resets that wait for the next request: each cause appears once, with the sum of what it covered. */
export function uniteResets(resets: readonly DeclaredReset[]): DeclaredReset[] {
  const united = new Map<ResetCause, DeclaredReset>();
  for (const reset of resets) {
    const before = united.get(reset.cause);
    united.set(reset.cause, before === undefined ? reset : join(before, reset));
  }
  return [...united.values()];
}

function join(a: DeclaredReset, b: DeclaredReset): DeclaredReset {
  const blocks = sum(a.blocks, b.blocks);
  const tokens = sum(a.tokens, b.tokens);
  return { ...a, ...(blocks === undefined ? {} : { blocks }), ...(tokens === undefined ? {} : { tokens }) };
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}
