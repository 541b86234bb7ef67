/**
 * Pruning before a request. The TTL rule decides whether the cache is cold. If it is cold, old turns are replaced and,
 * under the `economic` policy, the large results of every closed turn as well. The result contains the events to
 * append, the resets to declare, and the notice to announce once.
 */
import type { CountTokens } from "../base/ports.ts";
import type { Block } from "../block/block.ts";
import type { DeclaredReset } from "../cache/reset.ts";
import { makeEvent } from "../event/codec.ts";
import type { EventBody, KnownEvent } from "../event/event.ts";
import type { ModelView } from "../render/model-view.ts";
import type { TimelineState } from "../state/state.ts";
import type { RemovalPrices } from "./cost-rule.ts";
import { expectRemoval } from "./expectation.ts";
import { type SessionOptions, sessionSettings } from "./settings.ts";
import { decideTtl, pruneMessage, pruneSlice, type TtlAction, ttlInForce } from "./ttl.ts";
import { pruneClosedTurns } from "./turn-boundary.ts";

export interface PruneOptions {
  /** Epoch seconds. */
  readonly now: number;
  readonly session?: SessionOptions | undefined;
  /** Whether nothing was rendered since the timeline was loaded. Then the stored TTL applies. */
  readonly firstRender?: boolean | undefined;
  /** The current turn, if its blocks do not name it; it may have no blocks yet. */
  readonly turnId?: string | undefined;
  /** `seed` (default): TTL pruning. `economic`: also prunes large results of closed turns when the cache is cold. */
  readonly policy?: PrunePolicy | undefined;
  /** Prices for the cost rule (default: a provider's usual prices). */
  readonly prices?: RemovalPrices | undefined;
}

export type PrunePolicy = "seed" | "economic";

export interface PrunePlan {
  readonly action: TtlAction;
  readonly events: readonly KnownEvent[];
  /** The message that explains the prune; null when nothing was hidden. The caller adds it after the prune's events. */
  readonly message: Block | null;
  readonly resets: readonly DeclaredReset[];
}

const USUAL_PRICES = { read: 0.1, write: 1.25 };

type Groups = EventBody<"blocks.pruned">["groups"];

export function planPrune(
  view: ModelView,
  state: TimelineState,
  options: PruneOptions,
  countTokens: CountTokens,
): PrunePlan {
  const settings = sessionSettings(options.session);
  const { cache_last_touch_at: lastTouch, cache_last_ttl_seconds: stored } = state.meta;
  const ttl = ttlInForce(settings, stored, options.firstRender ?? false);
  const action = decideTtl({ now: options.now, lastTouch, ttl }, settings);
  if (action === "off") return { action, events: [], message: null, resets: [] };
  const touch = makeEvent("meta.set", {
    cache_last_touch_at: options.now,
    cache_last_ttl_seconds: settings.cache_ttl_seconds,
  });
  if (action !== "prune" || ttl === null) return { action, events: [touch], message: null, resets: [] };

  const current = options.turnId ?? state.openTurn ?? view.lastTurn;
  const expired = pruneSlice(view.slice(), current, settings);
  const prices = options.prices ?? expectRemoval(state.past, USUAL_PRICES);
  const unpaid = options.policy === "economic" ? pruneCold(view, state, current, prices, expired, countTokens) : [];
  const events: KnownEvent[] = [];
  const resets: DeclaredReset[] = [];
  if (expired.length > 0) {
    events.push(makeEvent("blocks.pruned", { by: "ttl", groups: expired }));
    resets.push({ cause: "ttl_prune", blocks: expired.length });
  }
  if (unpaid.length > 0) {
    events.push(makeEvent("blocks.pruned", { by: "policy", groups: unpaid }));
    resets.push({ cause: "turn_prune", blocks: unpaid.length });
  }
  const message = expired.length === 0 ? null : explain(current, ttl);
  return { action, events: [...events, touch], message, resets };
}

function explain(current: string | null, ttl: number): Block {
  const turn = current === null ? {} : { turn_id: current };
  const meta = { kind: "cache_ttl_pruned", ttl_seconds: ttl };
  return { type: "system.message", author: "system", ...turn, mime: "text/markdown", text: pruneMessage(ttl), meta };
}

function pruneCold(
  view: ModelView,
  state: TimelineState,
  current: string | null,
  prices: RemovalPrices,
  taken: Groups,
  countTokens: CountTokens,
): Groups {
  const turns = new Set(state.turnIds.filter((turn) => turn !== current));
  const covered = new Set(taken.map((group) => group.anchor));
  return pruneClosedTurns(view.slice(), { turns, prices, cold: true }, countTokens).filter(
    (group) => !covered.has(group.anchor),
  );
}

/** Plans the pruning at the end of a turn while the cache is warm; null when nothing saves cost. */
export function planTurnPrune(
  state: TimelineState,
  turnId: string,
  prices: RemovalPrices,
  countTokens: CountTokens,
): { readonly event: KnownEvent; readonly reset: DeclaredReset } | null {
  const first = state.turnEntries(turnId)[0];
  if (first === undefined) return null;
  // Nothing before the turn can change, so only the blocks from the turn's first block on are considered.
  const rest = state.window.slice(Math.max(0, state.indexOf(first.position)));
  const groups = pruneClosedTurns(rest, { turns: new Set([turnId]), prices, cold: false }, countTokens);
  if (groups.length === 0) return null;
  return {
    event: makeEvent("blocks.pruned", { by: "policy", groups }),
    reset: { cause: "turn_prune", blocks: groups.length },
  };
}
