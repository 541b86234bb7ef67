/**
 * Consecutive user messages are one message: the chat templates of Mistral and Gemma refuse two user messages in a row,
 * and some servers take a message only as a plain string.
 */
import { composeParts } from "./compose-parts.ts";
import type { LoweringRules } from "./lowering-rules.ts";

export const flat2: LoweringRules = { name: "flat", version: 2, joinsMessages: true, compose: composeParts };
