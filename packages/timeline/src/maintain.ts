/**
 * Maintenance before a request, when the prose of a summary is at hand at once: prune, then compact if the request
 * would not fit. A caller that has to ask a model for the prose takes the same steps with a wait in between.
 */
import type { DeclaredReset } from "./cache/reset.ts";
import type { ContextBudget } from "./compact/budget.ts";
import type { CompactionPlan, CompactionProse } from "./compact/plan-compaction.ts";
import type { PruneOptions } from "./prune/plan-prune.ts";
import type { RenderOptions } from "./render/render.ts";
import type { CompactionReport, Timeline } from "./timeline.ts";

export interface MaintenanceOptions {
  /** Absent: nothing is pruned. */
  readonly prune?: PruneOptions | undefined;
  /** Absent: nothing is compacted. Without `tailTokens` the tail of `render` is counted. */
  readonly budget?: ContextBudget | undefined;
  /** How the request will be rendered. */
  readonly render?: RenderOptions | undefined;
  readonly forceCompaction?: boolean | undefined;
  readonly summarise?: ((plan: CompactionPlan) => CompactionProse) | undefined;
}

export interface MaintenanceReport {
  readonly resets: readonly DeclaredReset[];
  /** Texts to announce once. */
  readonly notices: readonly string[];
  readonly compaction: CompactionReport | null;
}

const NO_PROSE: CompactionProse = { summary: null, prefix: null };

export function maintain(timeline: Timeline, options: MaintenanceOptions): MaintenanceReport {
  const { forceCompaction = false, summarise } = options;
  const pruned = options.prune === undefined ? { resets: [], notices: [] } : timeline.prune(options.prune);
  const budget =
    options.budget === undefined
      ? undefined
      : { tailTokens: timeline.tailTokens(options.render ?? {}), ...options.budget };
  const plan = budget === undefined ? null : timeline.planCompaction(budget, forceCompaction);
  const compaction = plan === null ? null : timeline.commitCompaction(plan, summarise?.(plan) ?? NO_PROSE);
  if (budget !== undefined) timeline.checkFits(budget);
  const resets = compaction === null ? pruned.resets : [...pruned.resets, compaction.reset];
  return { resets, notices: pruned.notices, compaction };
}
