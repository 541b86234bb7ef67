/** How an agent's conversations stay in view and in the cache: its settings, in the words of the engine. */
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
import type { Model } from "./model/model.ts";

export interface AgentMemory {
  /** TTL pruning; the TTL follows the provider's unless it is set here. */
  readonly session?: SessionOptions;
  /** `economic`, the default, prunes large results of finished turns when that pays; `seed` prunes by TTL alone. */
  readonly prune?: PrunePolicy;
  /** How long the provider is asked to keep a conversation; `auto`, the default, follows the user's own pauses. */
  readonly ttl?: CacheTtl | "auto";
  /** Where cache checkpoints stand; `economic` unless said otherwise. */
  readonly strategy?: CacheStrategy;
  /** Which of the two ends a request; `sources_first`, the default, ends it with the announcement. */
  readonly tailOrder?: "sources_first" | "announce_first";
  /** Where the pre-tail checkpoint of `seed` stands, which also bounds `react.hide`. */
  readonly cache?: {
    /** Rounds there must be before it is placed; 2 by default. */
    readonly cache_point_min_rounds?: number;
    /** Rounds that stay behind it; 4 by default. */
    readonly cache_point_offset_rounds?: number;
    /** Tokens that may stand behind what is hidden; 2,000 by default. */
    readonly editable_tail_size_in_tokens?: number;
  };
  /**
   * Whether a new conversation begins with the standing orders of the user's other conversations (`user`), or with none
   * (`conversation`, the default).
   */
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

/** How a request of the agent is rendered, whatever its turn. */
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
