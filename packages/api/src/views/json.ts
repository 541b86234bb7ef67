import type { Json } from "@cairn/timeline";
import { z } from "zod";

/** Any JSON value. It is not checked, because the parser of JSON returns nothing else. */
export const json = z.unknown() as unknown as z.ZodType<Json>;
