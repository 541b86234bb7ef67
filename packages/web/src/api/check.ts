/** Checks data of the server. Unknown fields and values are accepted, because a newer server may send them. */
import type { z } from "zod";

/** The reason why a value does not match the schema; null if it matches. */
export function issueOf(schema: z.ZodType, value: unknown): string | null {
  const issue = schema.safeParse(value).error?.issues.find(({ code }) => code !== "invalid_value");
  return issue === undefined ? null : `"${issue.path.join(".")}": ${issue.message}`;
}

/** The value with the schema's type; null if it does not match. */
export function readAs<S extends z.ZodType>(schema: S, value: unknown): z.output<S> | null {
  return issueOf(schema, value) === null ? (value as z.output<S>) : null;
}
