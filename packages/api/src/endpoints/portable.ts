import { z } from "zod";
import type { Data } from "../definition/data.ts";
import { defineEndpoint } from "../definition/endpoint.ts";
import { binary, boundedList, conversationParams } from "../definition/fields.ts";
import { MAX_IMPORTED_MESSAGES } from "../definition/limits.ts";
import { problem, usualProblems } from "../definition/problem.ts";
import { createdSchema } from "../views/conversation.ts";

const tag = "Conversations";
export const EXPORT_MIME = "application/x-ndjson";

export const exportConversation = defineEndpoint({
  method: "get",
  path: "/api/conversations/{id}/export",
  tag,
  summary: "Exports a conversation and its files as one file",
  needs: "inspect",
  params: conversationParams,
  answers: {
    200: { description: "The export. The same conversation always gives the same bytes.", mime: EXPORT_MIME },
    ...usualProblems,
  },
});

const importedSchema = createdSchema.extend({
  closed_turn: z.string().nullable(),
  /** Number of waiting messages in the file that were dropped. */
  dropped_messages: z.number().int(),
});
export type Imported = Data<typeof importedSchema>;

/** The names of formats, the same as in the library. */
const messageFormat = z.enum(["ai-sdk", "openai-chat", "openai-responses", "anthropic"]);

const importedMessagesSchema = createdSchema.extend({
  format: messageFormat,
  turns: z.number().int(),
  /** Content that was not imported, or was changed by the import. */
  losses: z.array(
    z.object({
      at: z.string().describe("The place in the request, such as `messages[2].content[0]`"),
      code: z.string(),
      message: z.string(),
    }),
  ),
});

export const importMessages = defineEndpoint({
  method: "post",
  path: "/api/import/messages",
  tag,
  summary: "Makes a conversation from messages of the AI SDK, OpenAI or Anthropic",
  body: z.object({
    messages: boundedList(z.unknown(), MAX_IMPORTED_MESSAGES).describe(
      "`UIMessage[]`, Chat Completions messages, Responses items, or messages",
    ),
    format: messageFormat.optional().describe("Detected if absent"),
    agent: z.string().min(1).max(200).optional(),
  }),
  answers: {
    201: {
      description: "The conversation exists. Every call has a result. Nothing runs until the next message.",
      schema: importedMessagesSchema,
    },
    413: problem("The request is too large."),
    ...usualProblems,
  },
});

export const importConversation = defineEndpoint({
  method: "post",
  path: "/api/import",
  tag,
  summary: "Imports a conversation from an exported file",
  otherBodies: { [EXPORT_MIME]: binary() },
  answers: {
    201: {
      description:
        "The conversation exists. Open calls and turns of the file were closed, and approvals in it do not count.",
      schema: importedSchema,
    },
    413: problem("The request is too large."),
    422: problem("The file was changed after it was exported, or is damaged."),
    ...usualProblems,
  },
});
