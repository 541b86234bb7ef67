/** The markets in which conversations are priced, and the data shown with a price. */
import type { ConversationPrice } from "@cairn/testkit/cache";
import type { CacheTtl, Lowering, ProviderId } from "@cairn/timeline";
import type { Reread } from "./reread.ts";
import type { Scheme } from "./schemes.ts";

/** The provider of a conversation, and the requested lifetime of its cache entries. */
export interface Market {
  readonly provider: ProviderId;
  readonly ttl: CacheTtl | "auto";
}

/** Every market that is compared. OpenAI and automatic caches have only one lifetime. */
export const MARKETS: readonly Market[] = [
  { provider: "anthropic", ttl: "5m" },
  { provider: "anthropic", ttl: "1h" },
  { provider: "anthropic", ttl: "auto" },
  { provider: "bedrock", ttl: "5m" },
  { provider: "bedrock", ttl: "1h" },
  { provider: "openai", ttl: "5m" },
  { provider: "automatic", ttl: "5m" },
];

export function marketName({ provider, ttl }: Market): string {
  return provider === "anthropic" || provider === "bedrock" ? `${provider} ${ttl}` : provider;
}

/** The price of one conversation in one market under one scheme. */
export interface CostResult extends ConversationPrice {
  readonly trace: string;
  readonly market: string;
  readonly scheme: Scheme;
  /** The lowering with which the history was sent. */
  readonly lowering: Lowering["name"];
  /** The share of the removed content that was read again; null when no content was removed. */
  readonly reread: Reread | null;
  readonly undeclaredResets: number;
}

/** The row of a table that a result belongs to. */
export function rowName({ scheme, lowering, reread }: CostResult): string {
  const name = lowering === "native" ? `${scheme}, native` : scheme;
  if (reread === null) return name;
  const { share, how } = reread;
  return share === 0 ? `${name}, pruned` : `${name}, pruned, ${percent(share)} read ${how}`;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(share * 100 < 10 ? 1 : 0)} %`;
}
