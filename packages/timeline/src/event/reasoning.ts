/** How much a model reasons before it answers, as HTTP bodies, messages and receipts contain it. */
import { z } from "zod";

/** From no reasoning to all that the model can do. A model that supports fewer steps gets the nearest one. */
export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** The most tokens that a budget may have. */
export const MAX_REASONING_BUDGET = 1_000_000;

export const reasoningSchema = z
  .strictObject({
    effort: z.enum(EFFORTS).optional(),
    /** Maximum tokens of reasoning before an answer, for models that take a budget. */
    budget_tokens: z.number().int().min(1).max(MAX_REASONING_BUDGET).optional(),
  })
  .refine(
    ({ effort, budget_tokens }) => effort !== undefined || budget_tokens !== undefined,
    "needs an effort or a budget",
  );

export type SentReasoning = z.infer<typeof reasoningSchema>;
