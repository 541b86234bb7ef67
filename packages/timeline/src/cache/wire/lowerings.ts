/** Every lowering that a request may have been sent with. A lowering is one file and one line in this list. */
import { z } from "zod";
import { CairnError } from "../../base/error.ts";
import { flat1 } from "./flat-1.ts";
import { flat2 } from "./flat-2.ts";
import type { Lowering } from "./lowering.ts";
import type { LoweringRules } from "./lowering-rules.ts";
import { native1 } from "./native-1.ts";
import { native2 } from "./native-2.ts";

const LOWERINGS: readonly LoweringRules[] = [flat1, flat2, native1, native2];

function findRules({ name, version }: Lowering): LoweringRules | undefined {
  return LOWERINGS.find((rules) => rules.name === name && rules.version === version);
}

export function loweringRules(lowering: Lowering): LoweringRules {
  const rules = findRules(lowering);
  if (rules === undefined)
    throw new CairnError(
      "unknown_lowering",
      `There is no lowering ${JSON.stringify(lowering)}. A newer version of this program may have it.`,
      { ...lowering },
    );
  return rules;
}

/** The fields with which receipts record a lowering. */
export const loweringSchema = z
  .object({ name: z.enum(["flat", "native"]), version: z.number() })
  .refine((lowering) => findRules(lowering) !== undefined);
