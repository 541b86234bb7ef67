import { z } from "zod";
import { defineEndpoint } from "../definition/endpoint.ts";
import { conversationParams, countInQuery } from "../definition/fields.ts";
import { okOrProblem } from "../definition/problem.ts";
import { modelRequestSchema, requestDetailSchema } from "../views/model-request.ts";

const tag = "Inspect";

export const listRequests = defineEndpoint({
  method: "get",
  path: "/api/conversations/{id}/requests",
  tag,
  summary: "Lists the requests to the model",
  needs: "inspect",
  params: conversationParams,
  query: z.object({ after: countInQuery(0, 1e9).default(0).describe("Only requests after this number") }),
  answers: okOrProblem("Oldest first.", z.object({ requests: z.array(modelRequestSchema) })),
});

export const readRequest = defineEndpoint({
  method: "get",
  path: "/api/conversations/{id}/requests/{n}",
  tag,
  summary: "One request, rebuilt and checked",
  needs: "inspect",
  params: conversationParams.extend({ n: countInQuery(1, 1e9) }),
  query: z.object({
    wire: countInQuery(0, 1)
      .default(0)
      .describe("With 1, the response also contains the bytes that were sent to the provider"),
  }),
  answers: okOrProblem(
    "Rendered again from the journal; `verified` says whether the result equals what was sent.",
    requestDetailSchema,
  ),
});
