/**
 * Like version 1, but with consecutive texts of a message joined: servers of Chat Completions may take a message only
 * as a plain string, and some make a message of each part.
 */
import { composeNative } from "./compose-native.ts";
import type { LoweringRules } from "./lowering-rules.ts";

export const native2: LoweringRules = { name: "native", version: 2, joinsMessages: true, compose: composeNative };
