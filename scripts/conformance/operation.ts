/** An operation of the conformance driver: a checked input, and one call. */
import type { z } from "zod";

export type Operation = (input: unknown) => unknown;

/** An operation whose input is checked by `schema` first. */
export function operation<T>(schema: z.ZodType<T>, run: (input: T) => unknown): Operation {
  return (input) => run(schema.parse(input));
}
