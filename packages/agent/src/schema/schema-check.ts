/**
 * Checks values against a JSON Schema from outside: of an MCP server, or of a caller who asks for structured output.
 * Neither the schema nor the value can make a check slow: patterns are matched in linear time, and a value that would
 * take too many steps is not checked.
 */
import type { JsonObject } from "@cairn/timeline";
import { z } from "zod";
import { isCheap, waysOf } from "./schema-cost.ts";
import { checkPatterns, type PatternIssue, withoutPatterns } from "./schema-patterns.ts";

/** Returns the problems of a value, or null when a check would take too long. */
export type CheckValue = (value: unknown) => readonly PatternIssue[] | null;

/** Null for a schema that cannot be checked: it is too large, or has keywords that are not supported. */
export function schemaCheck(schema: JsonObject): CheckValue | null {
  const ways = waysOf(schema);
  if (ways === Number.POSITIVE_INFINITY) return null;
  let checked: z.ZodType;
  try {
    checked = z.fromJSONSchema(withoutPatterns(schema) as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return null; // The caller says what that means for its values.
  }
  return (value) => {
    if (!isCheap(ways, value)) return null;
    const issues = (checked.safeParse(value).error?.issues ?? []).map(
      ({ message, path }): PatternIssue => ({
        message,
        path: path.map((key) => (typeof key === "symbol" ? String(key) : key)),
      }),
    );
    return [...issues, ...checkPatterns(schema, value)];
  };
}
