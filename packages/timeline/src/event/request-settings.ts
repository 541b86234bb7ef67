/** The model settings of a message, as HTTP bodies, messages and receipts contain them. Unknown names are rejected. */
import { z } from "zod";
import { reasoningSchema } from "./reasoning.ts";

const MAX_STOPS = 8;
const MAX_OPTIONS_CHARS = 10_000;

const options = z
  .record(z.string().min(1).max(100), z.record(z.string().min(1).max(100), z.unknown()))
  .refine(
    (given) => JSON.stringify(given).length <= MAX_OPTIONS_CHARS,
    `has more than ${MAX_OPTIONS_CHARS} characters`,
  );

export const requestSettingsSchema = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  stop: z.array(z.string().min(1).max(200)).max(MAX_STOPS).optional(),
  seed: z.number().int().min(0).max(2_147_483_647).optional(),
  max_output_tokens: z.number().int().min(1).max(10_000_000).optional(),
  tool_choice: z
    .union([z.enum(["auto", "none", "required"]), z.strictObject({ tool: z.string().min(1).max(200) })])
    .optional(),
  reasoning: reasoningSchema.optional(),
  provider_options: options.optional(),
});

export type SentSettings = z.infer<typeof requestSettingsSchema>;
