/** Checks data of the server. Unknown fields and values pass, because a newer server may send them. */
import type { z } from "zod";

/** Why a value is not what the schema says; null if it is. */
export function issueOf(schema: z.ZodType, value: unknown): string | null {
  const issue = schema.safeParse(value).error?.issues.find(({ code }) => code !== "invalid_value");
  return issue === undefined ? null : `"${issue.path.join(".")}": ${issue.message}`;
}

/** The value with its type; null if it is something else. */
export function readAs<S extends z.ZodType>(schema: S, value: unknown): z.output<S> | null {
  return issueOf(schema, value) === null ? (value as z.output<S>) : null;
}
