import type { SourceRow } from "@cairn/timeline";
import { z } from "zod";

/** A row of the sources pool. Rows may have any other field, so that only these are checked. */
export const sourceSchema = z.looseObject({
  sid: z.number().int(),
  title: z.string().optional(),
  url: z.string().optional(),
}) as unknown as z.ZodType<SourceRow>;
