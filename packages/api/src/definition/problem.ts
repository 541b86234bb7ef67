/** Error responses. */
import { z } from "zod";

export const problemSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()).optional() }),
});

export const problem = <const D extends string>(description: D) => ({ description, schema: problemSchema }) as const;

/** The error responses that every endpoint of a conversation may give. */
export const usualProblems = {
  400: problem("The request is not valid."),
  401: problem("The token is missing or unknown."),
  404: problem("Not found in the caller's scope."),
  429: problem(
    "A limit of the user or the tenant is reached. `details` names it, `retry-after` says when to come back.",
  ),
  507: problem("There is no space for the write: the storage of the user or tenant is full, or the server's disk is."),
} as const;

/** The JSON answer of a success, and the usual problems. */
export const okOrProblem = <const D extends string, const S extends z.ZodType>(description: D, schema: S) =>
  ({ 200: { description, schema }, ...usualProblems }) as const;
