/** A JSON object in a body. The assertion is needed only because zod's type is mutable and ours is readonly. */
import type { JsonObject } from "@cairn/timeline";
import { z } from "zod";

export const jsonObject = z.record(z.string(), z.json()) as unknown as z.ZodType<JsonObject>;
