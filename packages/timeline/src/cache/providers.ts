/**
 * The rules and prices of the providers' prompt caches, as data.
 *
 * Figures as published up to the date in `published`. Providers change their figures: code must read figures from this
 * table, or from a table of the same shape, and never contain one. Prices are multiples of the base input price, times
 * are seconds.
 *
 * The minimum prefix is that of the common models of a provider; where a model's own differs (512 to 4,096 tokens at
 * Anthropic), pass a copy of the rules with that minimum: `{ ...PROVIDERS.anthropic, minimumPrefix: 4_096 }`.
 */
export type ProviderId = "anthropic" | "bedrock" | "openai" | "automatic";

/** The requested lifetime of a cache entry. Where a provider offers only one lifetime, both values mean that one. */
export type CacheTtl = "5m" | "1h";

export type CacheLookup =
  /**
   * The provider looks back from each breakpoint, the last breakpoint first, over at most this many positions, the
   * breakpoint included. `joinsRuns`: consecutive calls count as one position, and so do consecutive results.
   */
  | { readonly kind: "lookback"; readonly positions: number; readonly joinsRuns: boolean }
  /** The provider only looks at this many of the first and of the latest breakpoints of the incoming request. */
  | { readonly kind: "own_breakpoints"; readonly first: number; readonly latest: number }
  /** The provider reuses the longest known prefix, in whole steps of this many tokens. Breakpoints have no effect. */
  | { readonly kind: "automatic"; readonly grain: number };

interface CachePrices {
  readonly read: number;
  readonly write: Readonly<Record<CacheTtl, number>>;
}

export interface ProviderRules extends CachePrices {
  readonly id: ProviderId;
  /** Year and month in which the provider published the figures. */
  readonly published: string;
  readonly lookup: CacheLookup;
  /** Maximum number of breakpoints; the provider rejects or ignores more. */
  readonly maxBreakpoints: number;
  /** Maximum number of entries that one request writes, at its latest breakpoints; null without a maximum. */
  readonly maxWrites: number | null;
  /** Minimum tokens of a prefix; a breakpoint on a shorter prefix is silently ignored. */
  readonly minimumPrefix: number;
  /** Sliding: the time counts from the start of the last request that read or wrote the entry. */
  readonly ttlSeconds: Readonly<Record<CacheTtl, number>>;
}

const ANTHROPIC: ProviderRules = {
  id: "anthropic",
  published: "2026-10",
  // Source of `joinsRuns`: https://platform.claude.com/docs/en/build-with-claude/prompt-caching (2026-11-16). Bedrock
  // documents no such rule.
  lookup: { kind: "lookback", positions: 20, joinsRuns: true },
  maxBreakpoints: 4,
  maxWrites: null,
  minimumPrefix: 1_024,
  read: 0.1,
  write: { "5m": 1.25, "1h": 2 },
  ttlSeconds: { "5m": 300, "1h": 3_600 },
};

export const PROVIDERS: Readonly<Record<ProviderId, ProviderRules>> = {
  anthropic: ANTHROPIC,
  bedrock: { ...ANTHROPIC, id: "bedrock", lookup: { kind: "lookback", positions: 20, joinsRuns: false } },
  openai: {
    id: "openai",
    published: "2026-10",
    lookup: { kind: "own_breakpoints", first: 2, latest: 50 },
    maxBreakpoints: 52,
    maxWrites: 4,
    minimumPrefix: 1_024,
    read: 0.1,
    write: { "5m": 1.25, "1h": 1.25 },
    ttlSeconds: { "5m": 1_800, "1h": 1_800 },
  },
  automatic: {
    id: "automatic",
    published: "2026-10",
    lookup: { kind: "automatic", grain: 128 },
    maxBreakpoints: 0,
    maxWrites: null,
    minimumPrefix: 1_024,
    read: 0.1,
    write: { "5m": 1, "1h": 1 },
    ttlSeconds: { "5m": 600, "1h": 600 },
  },
};
