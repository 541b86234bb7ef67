import { z } from "zod";
import type { Data } from "../definition/data.ts";
import { defineEndpoint } from "../definition/endpoint.ts";
import { conversationParams, countInQuery, turnParams } from "../definition/fields.ts";
import { okOrProblem, problem, usualProblems } from "../definition/problem.ts";
import { fileSchema } from "../views/turn.ts";

const tag = "Content";

const citations = z
  .enum(["links"])
  .optional()
  .describe("`links`: in Markdown and HTML, citations of known sources become links; other files do not change");

const fileVersion = z.object({
  version: z.number().int(),
  turn_id: z.string().nullable(),
  turn: z.number().int().nullable().describe("Number of the turn"),
  ts: z.string().nullable(),
  size_bytes: z.number().nullable(),
});
export type FileVersion = Data<typeof fileVersion>;

const listedFile = z.intersection(fileSchema, z.object({ versions: z.array(fileVersion) }));
export type ListedFile = Data<typeof listedFile>;

export const listFiles = defineEndpoint({
  method: "get",
  path: "/api/conversations/{id}/files",
  tag,
  summary: "Lists files with their versions",
  params: conversationParams,
  answers: okOrProblem(
    "Attachments and written files, in the order they first appeared.",
    z.object({ files: z.array(listedFile) }),
  ),
});

export const readFile = defineEndpoint({
  method: "get",
  path: "/api/conversations/{id}/files/{path}",
  tag,
  summary: "Reads a file by its physical path",
  params: conversationParams.extend({ path: z.string().min(1).max(1_000) }),
  query: z.object({ v: countInQuery(1, 1e9).optional().describe("The version; the latest by default"), citations }),
  headers: z.object({ range: z.string().optional() }),
  answers: {
    200: {
      description: "The bytes of the file, with a content type that no browser executes.",
      mime: "application/octet-stream",
    },
    206: { description: "The requested range of the bytes.", mime: "application/octet-stream" },
    416: problem("The range starts after the end of the file."),
    ...usualProblems,
  },
});

export const readAnswer = defineEndpoint({
  method: "get",
  path: "/api/conversations/{id}/turns/{turn}/answer",
  tag,
  summary: "Reads the answer of a turn as Markdown",
  params: turnParams,
  query: z.object({ citations }),
  answers: { 200: { description: "The answer, as plain text.", mime: "text/plain" }, ...usualProblems },
});
