/** Each group of message blocks is sent as one user message, if the wire format has a message for each group. */
import { composeParts } from "./compose-parts.ts";
import type { LoweringRules } from "./lowering-rules.ts";

export const flat1: LoweringRules = { name: "flat", version: 1, joinsMessages: false, compose: composeParts };
