/**
 * Maintenance before a request: prune when the cache has gone cold, compact when the request would not fit.
 *
 * `planMaintenance` only says what there is to do, as events; `maintain` does it, for a caller that has the prose of a
 * summary at hand. A caller that has to ask a model for it takes the steps of `Timeline` with a wait in between.
 */
import type { DeclaredReset } from "./cache/reset.ts";
import { ASSUMED_WINDOW, type ContextBudget } from "./compact/budget.ts";
import type { CompactionPlan, CompactionProse } from "./compact/plan-compaction.ts";
import type { TimelineEvent } from "./event/event.ts";
import type { PruneOptions } from "./prune/plan-prune.ts";
import type { RenderOptions } from "./render/render.ts";
import { restoreState, snapshotState } from "./state/snapshot.ts";
import type { TimelineState } from "./state/state.ts";
import { type CompactionReport, Timeline, type TimelineDeps } from "./timeline.ts";

export interface MaintenanceNeeds {
  /** Absent: nothing is pruned. */
  readonly prune?: PruneOptions | undefined;
  /** Absent: nothing is compacted unless forced. Without `tailTokens` the tail of `render` is counted. */
  readonly budget?: ContextBudget | undefined;
  /** How the request will be rendered. */
  readonly render?: RenderOptions | undefined;
  readonly forceCompaction?: boolean | undefined;
}

export interface MaintenanceOptions extends MaintenanceNeeds {
  readonly summarise?: ((plan: CompactionPlan) => CompactionProse) | undefined;
  readonly onBeforeCompaction?: ((report: { readonly before_tokens: number }) => void) | undefined;
  readonly onAfterCompaction?: ((report: Omit<CompactionReport, "summary" | "reset">) => void) | undefined;
}

export interface MaintenanceReport {
  readonly resets: readonly DeclaredReset[];
  /** Texts to announce once. */
  readonly notices: readonly string[];
  readonly compaction: CompactionReport | null;
}

export interface MaintenancePlan {
  /** What pruning appends. */
  readonly events: readonly TimelineEvent[];
  readonly resets: readonly DeclaredReset[];
  readonly notices: readonly string[];
  /** What is to be compacted behind these events; null when the request fits. */
  readonly compaction: CompactionPlan | null;
}

const NO_PROSE: CompactionProse = { summary: null, prefix: null };

/** What a state needs before a request. The state is left as it is; the plan is made on a copy of it. */
export function planMaintenance(state: TimelineState, needs: MaintenanceNeeds, deps: TimelineDeps): MaintenancePlan {
  const copy = Timeline.fromState(restoreState(snapshotState(state)), deps);
  const { resets, notices } = needs.prune === undefined ? NOTHING_PRUNED : copy.prune(needs.prune);
  const compaction = planCompaction(copy, needs);
  return { events: copy.takeEvents(), resets, notices, compaction };
}

export function maintain(timeline: Timeline, options: MaintenanceOptions): MaintenanceReport {
  const { summarise, onBeforeCompaction, onAfterCompaction } = options;
  const pruned = options.prune === undefined ? NOTHING_PRUNED : timeline.prune(options.prune);
  const plan = planCompaction(timeline, options);
  let compaction: CompactionReport | null = null;
  if (plan !== null) {
    onBeforeCompaction?.({ before_tokens: plan.beforeTokens });
    compaction = timeline.commitCompaction(plan, summarise?.(plan) ?? NO_PROSE);
    const { before_tokens, after_tokens, compacted_tokens } = compaction;
    onAfterCompaction?.({ before_tokens, after_tokens, compacted_tokens });
  }
  if (options.budget !== undefined) timeline.checkFits(withTail(timeline, options, options.budget));
  const resets = compaction === null ? pruned.resets : [...pruned.resets, compaction.reset];
  return { resets, notices: pruned.notices, compaction };
}

const NOTHING_PRUNED = { resets: [], notices: [] } as const;

function planCompaction(timeline: Timeline, needs: MaintenanceNeeds): CompactionPlan | null {
  const { budget, forceCompaction = false, render } = needs;
  if (budget === undefined && !forceCompaction) return null;
  const window = withTail(timeline, needs, budget ?? { maxTokens: ASSUMED_WINDOW });
  return timeline.planCompaction(window, forceCompaction, render?.turnId);
}

function withTail(timeline: Timeline, needs: MaintenanceNeeds, budget: ContextBudget): ContextBudget {
  return budget.tailTokens === undefined ? { ...budget, tailTokens: timeline.tailTokens(needs.render ?? {}) } : budget;
}
