/** Parts of bodies that both of OpenAI's APIs share. */
import { z } from "zod";

export const breakpoint = z.strictObject({ mode: z.literal("explicit"), ttl: z.literal("30m").optional() });
/** The rule for names of calls and of formats. Names of tools are checked by the table of refusals. */
export const functionName = z
  .string()
  .max(64)
  .regex(/^[a-zA-Z0-9_-]+$/);

const cacheFields = {
  prompt_cache_key: z.string().optional(),
  prompt_cache_options: z
    .strictObject({ mode: z.enum(["implicit", "explicit"]).optional(), ttl: z.literal("30m").optional() })
    .optional(),
  prompt_cache_retention: z.enum(["in_memory", "24h"]).nullish(),
};

export const commonFields = {
  model: z.string().min(1),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
  store: z.boolean().nullish(),
  user: z.string().optional(),
  safety_identifier: z.string().max(64).optional(),
  service_tier: z.enum(["auto", "default", "flex", "scale", "priority"]).nullish(),
  ...cacheFields,
};

export const effort = z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]);
