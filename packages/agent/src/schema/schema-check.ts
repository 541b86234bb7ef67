/**
 * Checks values against an untrusted JSON Schema of an MCP server, or of a caller who asks for structured output.
 * Neither the schema nor the value can make a check slow: patterns are matched in linear time, a value that is nested
 * too deeply for its schema is not checked, and a value with too many items for its schema is refused.
 */
import type { JsonObject } from "@cairn/timeline";
import { z } from "zod";
import { isCheap, isTooWide, waysOf, widthsOf } from "./schema-cost.ts";
import { checkPatterns, type PatternIssue, withoutPatterns } from "./schema-patterns.ts";

/**
 * Returns the problems of a value, or null when it is nested too deeply to be checked. A value with too many items to be
 * checked is a problem.
 */
export type CheckValue = (value: unknown) => readonly PatternIssue[] | null;

const TOO_WIDE = "It has too many items to be checked against its schema. Use fewer items.";

/** Makes a function that checks values; null for a schema that is too large or has unsupported keywords. */
export function schemaCheck(schema: JsonObject): CheckValue | null {
  const ways = waysOf(schema);
  if (ways === Number.POSITIVE_INFINITY) return null;
  const widths = widthsOf(schema);
  let checked: z.ZodType;
  try {
    checked = z.fromJSONSchema(withoutPatterns(schema) as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return null; // The schema is not checked. The caller decides whether it accepts values without a check.
  }
  return (value) => {
    if (!isCheap(ways, value)) return null;
    if (isTooWide(ways, widths, value)) return [{ message: TOO_WIDE, path: [] }];
    const issues = (checked.safeParse(value).error?.issues ?? []).map(
      ({ message, path }): PatternIssue => ({
        message,
        path: path.map((key) => (typeof key === "symbol" ? String(key) : key)),
      }),
    );
    return [...issues, ...checkPatterns(schema, value)];
  };
}
