/** A JSON object in a body. zod's own type of it is mutable, and ours is not: that is all the assertion bridges. */
import type { JsonObject } from "@cairn/timeline";
import { z } from "zod";

export const jsonObject = z.record(z.string(), z.json()) as unknown as z.ZodType<JsonObject>;
