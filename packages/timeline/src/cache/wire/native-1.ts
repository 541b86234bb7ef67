/** The lowering that sends history in the provider's own roles (`compose-native.ts`). */
import { composeNative } from "./compose-native.ts";
import type { LoweringRules } from "./lowering-rules.ts";

export const native1: LoweringRules = { name: "native", version: 1, joinsMessages: false, compose: composeNative };
