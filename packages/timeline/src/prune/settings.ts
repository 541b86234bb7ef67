/** Settings of pruning. A setting that is absent has its default. */
export interface SessionSettings {
  /** How long the provider keeps the cache; 0 or null switches TTL pruning off. */
  readonly cache_ttl_seconds: number | null;
  /** Pruning starts this long before the TTL ends. */
  readonly cache_ttl_prune_buffer_seconds: number;
  /** Turns older than this are replaced block by block. */
  readonly keep_recent_turns: number;
  /** The number of last turns, including the current one, that are not pruned. */
  readonly keep_recent_intact_turns: number;
  readonly cache_truncation_max_text_chars: number;
  readonly cache_truncation_max_field_chars: number;
  readonly cache_truncation_max_list_items: number;
  readonly cache_truncation_max_dict_keys: number;
  readonly cache_truncation_max_base64_chars: number;
  /** Pictures and PDFs of recent turns that are kept, newest first, and the maximum sum of their base64 characters. */
  readonly cache_truncation_keep_recent_images: number;
  readonly cache_truncation_max_image_pdf_b64_sum: number;
}

export type SessionOptions = { readonly [K in keyof SessionSettings]?: SessionSettings[K] | undefined };

const DEFAULTS: SessionSettings = {
  cache_ttl_seconds: 300,
  cache_ttl_prune_buffer_seconds: 10,
  keep_recent_turns: 10,
  keep_recent_intact_turns: 2,
  cache_truncation_max_text_chars: 4_000,
  cache_truncation_max_field_chars: 1_000,
  cache_truncation_max_list_items: 50,
  cache_truncation_max_dict_keys: 80,
  cache_truncation_max_base64_chars: 4_000,
  cache_truncation_keep_recent_images: 2,
  cache_truncation_max_image_pdf_b64_sum: 1_000_000,
};

export function sessionSettings(options: SessionOptions = {}): SessionSettings {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...DEFAULTS, ...Object.fromEntries(given) };
}
