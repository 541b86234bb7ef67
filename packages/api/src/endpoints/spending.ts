import { z } from "zod";
import type { Data } from "../definition/data.ts";
import { defineEndpoint } from "../definition/endpoint.ts";
import { countInQuery, timeZoneSchema } from "../definition/fields.ts";
import { okOrProblem } from "../definition/problem.ts";

const daySchema = z.object({
  from: z.string().describe("When the day begins, in the time zone of the request"),
  tokens: z.number(),
  dollars: z.number().describe("Requests to models without a price count as 0"),
});
export type SpentDay = Data<typeof daySchema>;

export const readSpending = defineEndpoint({
  method: "get",
  path: "/api/spending",
  tag: "Server",
  summary: "The cost of the caller's model requests by day",
  query: z.object({
    days: countInQuery(1, 31).default(14),
    time_zone: timeZoneSchema.default("UTC"),
  }),
  answers: okOrProblem(
    "The days, oldest first and today last. Requests of deleted conversations are included; forks and imports are not.",
    z.object({ days: z.array(daySchema) }),
  ),
});
