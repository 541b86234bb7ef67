/** A JSON object in a body. The assertion only bridges zod's mutable type and our readonly one. */
import type { JsonObject } from "@cairn/timeline";
import { z } from "zod";

export const jsonObject = z.record(z.string(), z.json()) as unknown as z.ZodType<JsonObject>;
