/**
 * Additional fields of a receipt of a turn: how the request was sent to its model, a hash of the sent bytes, and the
 * expected and resulting entries of the provider's cache.
 *
 * The timeline package passes these fields on, and only this file reads them. A request whose receipt lacks them cannot
 * be serialised again, which is not an error.
 */
import { type EventBody, FLAT_1, loweringSchema, requestSettingsSchema } from "@cairn/timeline";
import { z } from "zod";

/** Made with the first receipt that is read, because the first turn of a process reads none. */
function makeSchema() {
  const count = z.number().nonnegative();

  /** How a request was sent. Absent for models without a network. */
  const sentRecord = z.object({
    /** SHA-256 of the body, and its length in bytes; null when the adapter could not capture it. */
    sha256: z.string().nullable(),
    bytes: count.nullable(),
    /** Name and version of the package that serialised the request. */
    speller: z.string(),
    strategy: z.enum(["seed", "economic"]),
    ttl: z.enum(["5m", "1h"]),
    cache_key: z.string(),
    max_output_tokens: count,
    /** The tool choice of the request itself. The settings have another one, for the whole turn. */
    tool_choice: z.enum(["auto", "none"]),
    /** Settings of the agent and the message, merged. */
    settings: requestSettingsSchema.optional().catch(undefined),
    /** Hash of the schema that the provider made the answer match. The event `turn.opened` has the schema. */
    output: z.string().optional(),
    /** Absent in receipts of earlier versions. Their requests were sent with version 1 of `flat`. */
    lowering: loweringSchema.default(FLAT_1),
    /** The tools were described in the system text, by this version of the text protocol. Absent: they were sent as tools. */
    in_text: z.object({ version: z.literal(1), code: z.string() }).optional(),
    /**
     * Number of wire blocks that returned reasoning to the provider. Absent if the model takes no reasoning back; in old
     * receipts also if the number is 0.
     */
    reasoning: count.optional(),
    /** The version of the code that converted reasoning settings; absent without such settings, and for version 1. */
    reasoning_rules: count.optional(),
    /** Kinds of files that were described in words instead of sent. */
    describes: z
      .array(z.enum(["image", "document"]))
      .readonly()
      .optional(),
    /** Text after the view, such as the request for a summary. */
    instruction: z.string().optional(),
  });

  const cacheEntry = z.object({
    /** Index of the last wire block of the prefix, from 0. */
    at: count,
    /** Hash of the request's prefix (`wire-prefixes.ts`). */
    prefix: z.string(),
    /** Tokens of the prefix, as the provider counted them. */
    tokens: count,
    ttl: z.enum(["5m", "1h"]),
  });

  const cacheRecord = z.object({
    /** The provider whose rules were used. */
    provider: z.enum(["anthropic", "bedrock", "openai", "automatic"]),
    /** Tokens that should be read from the cache. */
    predicted_read: count,
    /** Prefixes that this request read, wrote or kept alive. */
    entries: z.array(cacheEntry).readonly(),
  });

  const timingRecord = z.object({
    /** Milliseconds until the first piece of the answer; absent if no piece came. */
    first_token_ms: count.optional(),
    /** Milliseconds until the answer was complete or interrupted. */
    total_ms: count,
  });

  return z.object({
    turn_id: z.string().nullable().catch(null),
    model: z.string().nullable().catch(null),
    /** The purpose of the request: a decision, the rest of an unfinished decision, or the text of a compaction. */
    purpose: z.enum(["decision", "continuation", "summary"]).catch("decision"),
    /** Hash of all stable message blocks, so that another process can continue from this receipt. */
    stable_hash: z.string().nullable().catch(null),
    sent: sentRecord.nullable().catch(null),
    cache: cacheRecord.nullable().catch(null),
    /** Durations are measured from the start of the request. Earlier versions did not record them. */
    timing: timingRecord.optional().catch(undefined),
    /** The provider reported no usage, so the numbers are Cairn's own count. */
    usage_estimated: z.boolean().optional().catch(undefined),
  });
}

export type RequestRecord = z.infer<ReturnType<typeof makeSchema>>;
export type SentRecord = NonNullable<RequestRecord["sent"]>;
export type CacheRecord = NonNullable<RequestRecord["cache"]>;
export type CacheEntry = CacheRecord["entries"][number];

let schema: ReturnType<typeof makeSchema> | null = null;

export function readRequestRecord(body: EventBody<"model.receipt">): RequestRecord {
  schema ??= makeSchema();
  return schema.parse(body);
}
