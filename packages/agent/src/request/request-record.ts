/**
 * What a receipt of a turn holds beside the engine's own fields: how the request was put to its model, a hash of the
 * bytes that went over the wire, and what the provider's cache was expected to have and holds now.
 *
 * Bodies of events carry fields the engine does not know, so these are read here and nowhere else. A receipt without
 * them, or with others, is one nobody can spell again: no reason to fail.
 */
import { type EventBody, FLAT_1 } from "@cairn/timeline";
import { z } from "zod";
import { requestSettingsSchema } from "../model/request-settings.ts";

const count = z.number().nonnegative();

/** How a request was put, and what came of it on the wire. Absent where nothing goes over one. */
const sentRecord = z.object({
  /** SHA-256 of the body, and its length in bytes; null when the adapter could not see it. */
  sha256: z.string().nullable(),
  bytes: count.nullable(),
  /** Package and version that spelled it. */
  speller: z.string(),
  strategy: z.enum(["seed", "economic"]),
  ttl: z.enum(["5m", "1h"]),
  cache_key: z.string(),
  max_output_tokens: count,
  /** What the request itself asked for; what its settings ask for stands there. */
  tool_choice: z.enum(["auto", "none"]),
  /** Of the agent and the message together. */
  settings: requestSettingsSchema.optional().catch(undefined),
  /** Receipts that were kept before there were several say nothing: `flat`, version 1. */
  lowering: z.object({ name: z.literal("flat"), version: z.union([z.literal(1), z.literal(2)]) }).default(FLAT_1),
  /** Kinds of files that were described in words. */
  describes: z
    .array(z.enum(["image", "document"]))
    .readonly()
    .optional(),
  /** What stood behind the view, such as the request for a summary. */
  instruction: z.string().optional(),
});

const cacheEntry = z.object({
  /** Index of the wire block the prefix ends with. */
  at: count,
  /** Names the prefix (`wire-prefixes.ts`). */
  prefix: z.string(),
  /** Tokens of the prefix as the provider counts them. */
  tokens: count,
  ttl: z.enum(["5m", "1h"]),
});

const cacheRecord = z.object({
  /** Whose rules were expected to hold. */
  provider: z.enum(["anthropic", "bedrock", "openai", "automatic"]),
  /** Tokens that were expected to be read from the cache. */
  predicted_read: count,
  /** The prefixes that this request read, wrote or kept alive. */
  entries: z.array(cacheEntry).readonly(),
});

const requestRecord = z.object({
  turn_id: z.string().nullable().catch(null),
  model: z.string().nullable().catch(null),
  /** What was asked for: a decision, the rest of one that was cut off, or the prose of a compaction. */
  purpose: z.enum(["decision", "continuation", "summary"]).catch("decision"),
  /** Hash of all stable message blocks, so that another process can go on from this receipt. */
  stable_hash: z.string().nullable().catch(null),
  sent: sentRecord.nullable().catch(null),
  cache: cacheRecord.nullable().catch(null),
  /** The provider reported no usage; what stands there is our own count. */
  usage_estimated: z.boolean().optional().catch(undefined),
});

export type SentRecord = z.infer<typeof sentRecord>;
export type CacheEntry = z.infer<typeof cacheEntry>;
export type CacheRecord = z.infer<typeof cacheRecord>;
export type RequestRecord = z.infer<typeof requestRecord>;

export function readRequestRecord(body: EventBody<"model.receipt">): RequestRecord {
  return requestRecord.parse(body);
}
