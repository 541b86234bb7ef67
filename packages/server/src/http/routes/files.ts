/** Files of a conversation: the list, their versions and their bytes. */

import type { ConversationKey } from "@cairn/store";
import { z } from "@hono/zod-openapi";
import { findAnswer, findFile } from "../../content/file-content.ts";
import { FileLists } from "../../content/list-files.ts";
import { sendFile } from "../download.ts";
import { type App, endpoint } from "../endpoint.ts";
import { conversationParams, countInQuery, fileSchema, problemSchema, usualProblems } from "../schemas.ts";
import type { ServerParts } from "../server-parts.ts";

const tag = "Content";

const citations = z
  .enum(["links"])
  .optional()
  .describe("`links`: in Markdown and HTML, citations of known sources become links; other files are as they are");

export function fileRoutes(app: App, { store }: ServerParts): void {
  const lists = new FileLists(store);
  endpoint(
    app,
    {
      ...{ method: "get", path: "/api/conversations/{id}/files", tag, summary: "Lists files with their versions" },
      params: conversationParams,
      answers: {
        200: {
          description: "Attachments and written files, in the order they first appeared.",
          schema: z.object({
            files: z.array(
              fileSchema.extend({
                versions: z.array(
                  z.object({
                    version: z.number().int(),
                    turn_id: z.string().nullable(),
                    ts: z.string().nullable(),
                    size_bytes: z.number().nullable(),
                  }),
                ),
              }),
            ),
          }),
        },
        ...usualProblems,
      },
    },
    async (context, { params }) => {
      const key: ConversationKey = { ...context.get("scope"), conversation: params.id };
      return context.json({ files: await lists.of(key, context.req.raw.signal) });
    },
  );

  endpoint(
    app,
    {
      ...{
        method: "get",
        path: "/api/conversations/{id}/files/{path}",
        tag,
        summary: "Reads a file by its physical path",
      },
      params: conversationParams.extend({ path: z.string().min(1).max(1_000) }),
      query: z.object({
        v: countInQuery(1, 1e9).optional().describe("The version; the latest by default"),
        citations,
      }),
      headers: z.object({ range: z.string().optional() }),
      answers: {
        200: {
          description: "The bytes of the file, with a content type that no browser executes.",
          mime: "application/octet-stream",
        },
        206: { description: "The requested range of the bytes.", mime: "application/octet-stream" },
        416: { description: "The range starts after the end of the file.", schema: problemSchema },
        ...usualProblems,
      },
    },
    async (context, { params, query }) => {
      const key: ConversationKey = { ...context.get("scope"), conversation: params.id };
      const file = await findFile(store, key, params.path, query.v ?? null, query.citations ?? null);
      return sendFile(context.req.raw, file, params.path.split("/").at(-1) ?? "file");
    },
  );

  endpoint(
    app,
    {
      ...{
        method: "get",
        path: "/api/conversations/{id}/turns/{turn}/answer",
        tag,
        summary: "Reads the answer of a turn as Markdown",
      },
      params: conversationParams.extend({ turn: z.string().min(1).max(200) }),
      query: z.object({ citations }),
      answers: {
        200: { description: "The answer, as plain text.", mime: "text/plain" },
        ...usualProblems,
      },
    },
    async (context, { params, query }) => {
      const key: ConversationKey = { ...context.get("scope"), conversation: params.id };
      const answer = await findAnswer(store, key, params.turn, query.citations ?? null);
      return sendFile(context.req.raw, answer, `${params.turn}.md`);
    },
  );
}
