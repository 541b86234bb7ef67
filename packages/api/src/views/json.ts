import type { Json } from "@cairn/timeline";
import { z } from "zod";

/** Any JSON value. It comes from JSON, so there is nothing to check. */
export const json = z.unknown() as unknown as z.ZodType<Json>;
