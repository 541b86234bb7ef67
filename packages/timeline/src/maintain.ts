/**
 * Maintenance: everything that decides what a request shows and how long the provider is asked to cache it. The agent
 * calls it before every request and at the end of a turn; code that renders a stored payload calls it too.
 *
 * Before a request, in this order: the TTL is chosen from the conversation's own pauses, large results are pruned if
 * the cache has expired, pictures and documents beyond the provider's limits are dropped, blocks that no request has
 * shown yet are clipped to its share of the window, and a compaction is planned if the request would not fit the
 * model's window. `maintain` does everything that needs no model. The caller fetches the prose of a summary, if
 * `compaction` asks for one, and `finishMaintenance` commits the compaction and checks that the request fits.
 *
 * The knowledge that maintenance has of the past is part of the state, so a restart changes nothing. Maintenance does
 * not copy the state, and its cost depends on what is new.
 */
import { runSteps, type Steps } from "./base/steps.ts";
import type { CacheTtl, ProviderRules } from "./cache/providers.ts";
import type { DeclaredReset } from "./cache/reset.ts";
import { chooseTtl } from "./cache/ttl-choice.ts";
import type { FileLimits } from "./clip/file-limits.ts";
import { ASSUMED_WINDOW, type ContextBudget, tailCap } from "./compact/budget.ts";
import type { CompactionPlan, CompactionProse } from "./compact/plan-compaction.ts";
import type { FileKind } from "./message/message.ts";
import { expectRemoval } from "./prune/expectation.ts";
import type { PruneOptions, PrunePolicy } from "./prune/plan-prune.ts";
import type { RenderOptions } from "./render/render.ts";
import { calibratedAs } from "./state/past.ts";
import type { CompactionReport, Timeline } from "./timeline.ts";
import { calibrateRefusal, estimatedRoom } from "./tokens/calibration.ts";

/** The provider whose cache the requests use, and the lifetime of entries; `auto` follows the pauses. */
export interface CacheNeeds {
  readonly rules: Pick<ProviderRules, "read" | "write" | "ttlSeconds">;
  readonly ttl: CacheTtl | "auto";
}

/** A request that the provider rejected as too large: our estimate, and the provider's minimum count. */
export interface RefusedRequest {
  readonly estimated: number;
  readonly counted: number;
}

export interface MaintenanceNeeds {
  /** Absent: nothing is pruned. With `cache`, the TTL and the prices of `cache` are the defaults. */
  readonly prune?: PruneOptions | undefined;
  readonly cache?: CacheNeeds | undefined;
  /** Window and answer in the model's tokens, the rest in estimates. Absent: nothing is compacted unless forced. */
  readonly budget?: ContextBudget | undefined;
  /** The model that receives the request. Earlier receipts of the model show how it counts tokens. */
  readonly model?:
    | {
        readonly id: string;
        readonly lowering?: string;
        /** Whether the request returns sealed reasoning, whose tokens then count. */
        readonly isSentReasoning?: boolean;
      }
    | undefined;
  /** A rejected request that no receipt records yet. */
  readonly refused?: RefusedRequest | undefined;
  /** How the request will be rendered. */
  readonly render?: RenderOptions | undefined;
  readonly forceCompaction?: boolean | undefined;
  /** Limits on pictures and documents, and the kinds that the model does not accept. Default: no limit. */
  readonly files?: FileLimits | undefined;
  readonly describes?: ReadonlySet<FileKind> | undefined;
}

export interface Maintenance {
  /** The cache TTL that the request asks for, unless a compaction changes it. */
  readonly ttl: CacheTtl;
  /** Changes of the prefix by pruning and clipping. */
  readonly resets: readonly DeclaredReset[];
  /** The notices that this request announces. The caller announces them again if the request gets no answer. */
  readonly notices: readonly string[];
  /** The budget of the request in estimated tokens; null when none was given. */
  readonly budget: ContextBudget | null;
  /** Options to render the request with, so that its tail has the planned size. */
  readonly render: RenderOptions;
  /** The compaction to carry out; null when the request fits. */
  readonly compaction: CompactionPlan | null;
  readonly needs: MaintenanceNeeds;
}

export interface MaintenanceReport {
  readonly ttl: CacheTtl;
  /** All changes of the cached prefix. */
  readonly resets: readonly DeclaredReset[];
  readonly compaction: CompactionReport | null;
}

const NO_PROSE: CompactionProse = { summary: null, prefix: null };
const NOTHING_PRUNED = { resets: [], notices: [] } as const;

/** Prepares a timeline for a request. `finishMaintenance` has to follow before it is rendered. */
export function maintain(timeline: Timeline, needs: MaintenanceNeeds): Maintenance {
  return runSteps(maintainInSteps(timeline, needs));
}

/** Like `maintain`, in steps. Nothing else may change the timeline between them. */
export function* maintainInSteps(timeline: Timeline, needs: MaintenanceNeeds): Steps<Maintenance> {
  timeline.countReasoningOf(needs.model?.isSentReasoning === true ? needs.model.id : null);
  const ttl = ttlOf(timeline, needs);
  const { resets, notices } =
    needs.prune === undefined ? NOTHING_PRUNED : prune(timeline, needs.prune, needs.cache, ttl);
  timeline.announceOnce(notices);
  const left = needs.files === undefined ? [] : timeline.clipFiles(needs.files, needs.describes);
  if (needs.budget === undefined) {
    const compaction = yield* planCompaction(timeline, needs, null);
    return { ttl, resets: [...resets, ...left], notices, budget: null, render: needs.render ?? {}, compaction, needs };
  }
  const room = estimatedBudget(timeline, needs, needs.budget);
  const render = { ...needs.render, maxTokens: room.maxTokens, maxTailTokens: tailCap(room) };
  const budget = { ...room, tailTokens: room.tailTokens ?? timeline.tailTokens(render) };
  const clipped = yield* timeline.clipInSteps(budget);
  const compaction = yield* planCompaction(timeline, needs, budget);
  return { ttl, resets: [...resets, ...left, ...clipped], notices, budget, render, compaction, needs };
}

/**
 * Carries out the compaction that `maintain` planned. Without prose, the digest is the summary. Throws
 * `context_too_small`.
 */
export function finishMaintenance(
  timeline: Timeline,
  { ttl, resets, budget, compaction: plan, needs }: Maintenance,
  prose: CompactionProse = NO_PROSE,
): MaintenanceReport {
  const compaction = plan === null ? null : timeline.commitCompaction(plan, prose);
  if (budget !== null) timeline.checkFits(budget);
  if (compaction === null) return { ttl, resets, compaction };
  return { ttl: chooseAgain(timeline, needs, ttl), resets: [...resets, compaction.reset], compaction };
}

/** After a compaction a longer TTL is worth less, so the TTL is chosen again, from the state alone. */
function chooseAgain(timeline: Timeline, needs: MaintenanceNeeds, before: CacheTtl): CacheTtl {
  const ttl = ttlOf(timeline, needs);
  const { cache, prune } = needs;
  if (ttl !== before && cache !== undefined && prune !== undefined && prune.session?.cache_ttl_seconds === undefined)
    timeline.setMeta({ cache_last_ttl_seconds: cache.rules.ttlSeconds[ttl] });
  return ttl;
}

/** Prunes the large results of a turn at its end, if that saves cost. The next request declares the reset. */
export function maintainClosedTurn(
  timeline: Timeline,
  turnId: string,
  { now, cache, policy }: { readonly now: number; readonly cache: CacheNeeds; readonly policy: PrunePolicy },
): DeclaredReset | null {
  if (policy !== "economic") return null;
  return timeline.pruneTurn(turnId, removalPrices(timeline, cache, chooseFor(timeline, cache, now, turnId)));
}

function ttlOf(timeline: Timeline, { cache, prune, render }: MaintenanceNeeds): CacheTtl {
  if (cache === undefined) return "5m";
  const turnId = render?.turnId ?? prune?.turnId ?? timeline.state.openTurn;
  return chooseFor(timeline, cache, prune?.now ?? null, turnId);
}

/** `now` is in epoch seconds; null when the time is unknown, and then only past pauses count. */
function chooseFor(
  timeline: Timeline,
  { rules, ttl }: CacheNeeds,
  now: number | null,
  turnId: string | null,
): CacheTtl {
  if (ttl !== "auto") return ttl;
  const { past, lastReceipt } = timeline.state;
  const pauses = past.pausesUntil(now ?? lastReceipt?.started_at ?? 0, turnId, lastReceipt);
  return chooseTtl(pauses, rules, past.turnShare(timeline.visibleTokens()) ?? undefined);
}

function prune(timeline: Timeline, options: PruneOptions, cache: CacheNeeds | undefined, ttl: CacheTtl) {
  if (cache === undefined) return timeline.prune(options);
  return timeline.prune({
    ...options,
    session: { cache_ttl_seconds: cache.rules.ttlSeconds[ttl], ...options.session },
    prices: options.prices ?? removalPrices(timeline, cache, ttl),
  });
}

function removalPrices(timeline: Timeline, { rules }: CacheNeeds, ttl: CacheTtl) {
  return expectRemoval(timeline.state.past, { read: rules.read, write: rules.write[ttl] });
}

/** The budget in our estimated tokens: if a model counts twice as many tokens as we do, its window counts half. */
function estimatedBudget(timeline: Timeline, needs: MaintenanceNeeds, budget: ContextBudget): ContextBudget {
  const { model, refused } = needs;
  const name = model === undefined ? null : calibratedAs(model.id, model.lowering);
  const learnt = name === null ? undefined : timeline.state.past.calibration(name);
  const calibration = refused === undefined ? learnt : calibrateRefusal(learnt, refused.estimated, refused.counted);
  const maxTokens = estimatedRoom(calibration, budget.maxTokens);
  const maxOutputTokens =
    budget.maxOutputTokens === undefined ? undefined : estimatedRoom(calibration, budget.maxOutputTokens);
  return { ...budget, maxTokens, maxOutputTokens };
}

function* planCompaction(
  timeline: Timeline,
  { forceCompaction = false, render }: MaintenanceNeeds,
  budget: ContextBudget | null,
): Steps<CompactionPlan | null> {
  if (budget === null && !forceCompaction) return null;
  const tailTokens = budget?.tailTokens ?? timeline.tailTokens(render ?? {});
  return yield* timeline.planCompactionInSteps(
    budget ?? { maxTokens: ASSUMED_WINDOW, tailTokens },
    forceCompaction,
    render?.turnId,
  );
}
