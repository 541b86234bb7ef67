/** Each group of message blocks is a user message, where the wire form wants one per group. */
import { composeParts } from "./compose-parts.ts";
import type { LoweringRules } from "./lowering-rules.ts";

export const flat1: LoweringRules = { name: "flat", version: 1, joinsMessages: false, compose: composeParts };
