/**
 * What the providers' prompt caches do and cost, as data.
 *
 * Figures as published up to the date in `published`. They change: whoever decides by them takes them from this table,
 * or from a table of the same shape, and never spells one out. Prices are multiples of the base input price, times are
 * seconds.
 *
 * The minimum prefix is that of the common models of a provider; where a model's own differs (512 to 4,096 tokens at
 * Anthropic), pass the rules on with another one: `{ ...PROVIDERS.anthropic, minimumPrefix: 4_096 }`.
 */
export type ProviderId = "anthropic" | "bedrock" | "openai" | "automatic";

/** How long an entry is asked to live. Where a provider offers one time only, both mean that time. */
export type CacheTtl = "5m" | "1h";

export type CacheLookup =
  /** From each breakpoint, last first, back over at most so many positions, the breakpoint being the first. */
  | { readonly kind: "lookback"; readonly positions: number }
  /** Only at breakpoints of the incoming request: so many first and so many latest ones. */
  | { readonly kind: "own_breakpoints"; readonly first: number; readonly latest: number }
  /** The longest known prefix, in whole steps of so many tokens. Breakpoints play no part. */
  | { readonly kind: "automatic"; readonly grain: number };

export interface CachePrices {
  readonly read: number;
  readonly write: Readonly<Record<CacheTtl, number>>;
}

export interface ProviderRules extends CachePrices {
  readonly id: ProviderId;
  /** Year and month of the figures. */
  readonly published: string;
  readonly lookup: CacheLookup;
  /** More than so many are refused, or never looked at. */
  readonly maxBreakpoints: number;
  /** Entries one request may write, the latest breakpoints first; null where every breakpoint writes one. */
  readonly maxWrites: number | null;
  /** Tokens; a breakpoint on a shorter prefix is silently ignored. */
  readonly minimumPrefix: number;
  /** Sliding: counted from the start of the last request that read or wrote the entry. */
  readonly ttlSeconds: Readonly<Record<CacheTtl, number>>;
}

const ANTHROPIC: ProviderRules = {
  id: "anthropic",
  published: "2026-10",
  lookup: { kind: "lookback", positions: 20 },
  maxBreakpoints: 4,
  maxWrites: null,
  minimumPrefix: 1_024,
  read: 0.1,
  write: { "5m": 1.25, "1h": 2 },
  ttlSeconds: { "5m": 300, "1h": 3_600 },
};

export const PROVIDERS: Readonly<Record<ProviderId, ProviderRules>> = {
  anthropic: ANTHROPIC,
  bedrock: { ...ANTHROPIC, id: "bedrock" },
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
