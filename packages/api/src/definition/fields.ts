/** Fields that several requests share. */
import { isTimeZone } from "@cairn/timeline";
import { z } from "zod";
import type { Data } from "./data.ts";

export const conversationParams = z.object({ id: z.string().min(1).max(512) });

export const turnParams = conversationParams.extend({ turn: z.string().min(1).max(200) });

/** Text written by a person. A lone surrogate is not a character, and many JSON readers reject it. */
export const writtenText = () => z.string().overwrite((text) => text.toWellFormed());

/** A list of limited length. Checking stops at the first invalid item: a report for each would take much memory. */
export function boundedList<T extends z.ZodType>(item: T, max: number, min = 0) {
  return z.preprocess((value, context) => {
    if (!Array.isArray(value)) return value;
    if (value.length > max) {
      context.addIssue({ code: "custom", message: `has ${value.length} items; at most ${max} are allowed` });
      return z.NEVER;
    }
    for (const [at, each] of value.entries()) {
      const [issue] = item.safeParse(each).error?.issues ?? [];
      if (issue === undefined) continue;
      context.addIssue({ code: "custom", message: issue.message, path: [at, ...issue.path] });
      return z.NEVER;
    }
    return value;
  }, z.array(item).min(min).max(max));
}

/** What a message does: it opens a turn, steers the running turn, or waits for a turn of its own. */
export const modeSchema = z.enum(["turn", "steer", "follow-up"]);
export type SendMode = z.output<typeof modeSchema>;

/** The prompt of an MCP server from which a message was made. */
export const sentPromptSchema = z.object({
  server: z.string().min(1).max(40),
  name: z.string().min(1).max(200),
  arguments: z.record(z.string().max(200), z.string().max(20_000)),
});
export type SentPrompt = Data<typeof sentPromptSchema>;

/** A number in a query, whose values are all strings. */
export const countInQuery = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

export const timeZoneSchema = z
  .string()
  .max(100)
  .refine(isTimeZone, "This time zone is unknown. Use an IANA name such as Europe/Berlin.")
  .describe("The time zone of the user: an IANA name such as Europe/Berlin");

/** A binary body in the OpenAPI document. */
export const binary = () => z.string().meta({ format: "binary" });
