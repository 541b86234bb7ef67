/** Settings that decide how an agent's conversations stay in the model's view and in the provider's cache. */
import {
  type CacheNeeds,
  type CacheStrategy,
  type CacheTtl,
  type HideRequest,
  PROVIDERS,
  type PrunePolicy,
  type RenderOptions,
  type SessionOptions,
} from "@cairn/timeline";
import type { Model } from "../model/model.ts";

export interface AgentMemory {
  /** Settings for pruning by age. By default, results are pruned when the provider's cache has expired. */
  readonly session?: SessionOptions;
  /**
   * `economic` (default) prunes large results of finished turns when that saves cost; `seed` prunes only when the cache
   * lifetime (TTL) has passed.
   */
  readonly prune?: PrunePolicy;
  /** The requested lifetime of the provider's cache. `auto` (default) chooses it by the pauses between messages. */
  readonly ttl?: CacheTtl | "auto";
  /** The strategy for cache checkpoints (default: `economic`). */
  readonly strategy?: CacheStrategy;
  /** Which part of the tail comes first; `sources_first` (default) ends a request with the announcement. */
  readonly tailOrder?: "sources_first" | "announce_first";
  /** Settings of the second checkpoint of the strategy `seed` (the pre-tail checkpoint), and of `react.hide`. */
  readonly cache?: {
    /** Minimum number of rounds before the pre-tail checkpoint is placed; default 2. */
    readonly cache_point_min_rounds?: number;
    /** Number of rounds after the pre-tail checkpoint; default 4. */
    readonly cache_point_offset_rounds?: number;
    /** Maximum number of tokens that may follow a block that `react.hide` hides; default 2,000. */
    readonly editable_tail_size_in_tokens?: number;
  };
  /** Whether a new conversation starts with the user's standing orders (`user`) or with none (default). */
  readonly standingOrders?: "conversation" | "user";
}

interface Remembering {
  readonly model: Pick<Model, "provider">;
  readonly memory?: AgentMemory;
}

export function cacheNeeds({ model, memory }: Remembering): CacheNeeds {
  return { rules: PROVIDERS[model.provider], ttl: memory?.ttl ?? "auto" };
}

export function prunePolicy({ memory }: Pick<Remembering, "memory">): PrunePolicy {
  return memory?.prune ?? "economic";
}

export function cacheStrategy({ memory }: Pick<Remembering, "memory">): CacheStrategy {
  return memory?.strategy ?? "economic";
}

/** Render settings of the agent, the same for every turn. */
export function renderSettings(agent: Pick<Remembering, "memory">): RenderOptions {
  const { tailOrder, cache } = agent.memory ?? {};
  return {
    includeSources: true,
    includeAnnounce: true,
    strategy: cacheStrategy(agent),
    ...(tailOrder === undefined ? {} : { tailOrder }),
    ...(cache === undefined ? {} : { cache }),
  };
}

export function hideSettings({
  memory,
}: Pick<Remembering, "memory">): Pick<HideRequest, "cache" | "editableTailTokens"> {
  const cache = memory?.cache;
  return { cache, editableTailTokens: cache?.editable_tail_size_in_tokens };
}
