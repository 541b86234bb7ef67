import { z } from "zod";
import type { Data } from "../definition/data.ts";
import { defineEndpoint } from "../definition/endpoint.ts";
import { conversationParams } from "../definition/fields.ts";
import { okOrProblem } from "../definition/problem.ts";
import { sourceSchema } from "../views/source.ts";

const tag = "Content";

export const readTimeline = defineEndpoint({
  method: "get",
  path: "/api/conversations/{id}/timeline",
  tag,
  summary: "The timeline as one JSON object",
  needs: "inspect",
  params: conversationParams,
  answers: okOrProblem("`conv.timeline.v1`.", z.record(z.string(), z.unknown())),
});

export const readSources = defineEndpoint({
  method: "get",
  path: "/api/conversations/{id}/sources",
  tag,
  summary: "The sources pool",
  params: conversationParams,
  answers: okOrProblem("`conv:sources_pool`.", z.object({ sources_pool: z.array(sourceSchema) })),
});

const foundPathSchema = z.object({
  path: z.string(),
  found: z.boolean(),
  mime: z.string().nullable(),
  text: z.string().nullable(),
  blob: z.string().nullable(),
  version: z.number().int(),
  versions: z.number().int(),
});
export type FoundPath = Data<typeof foundPathSchema>;

export const readPath = defineEndpoint({
  method: "get",
  path: "/api/conversations/{id}/read",
  tag,
  summary: "Reads the content at a logical path",
  params: conversationParams,
  query: z.object({ path: z.string().min(1).max(2_000) }),
  answers: okOrProblem(
    "Also finds content that was hidden, pruned or compacted. `found` is false if nothing was ever stored at this path, and for internal content unless the caller has the permission `inspect`.",
    foundPathSchema,
  ),
});
