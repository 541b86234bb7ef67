import { reasoningSchema } from "@cairn/timeline";
import { z } from "zod";
import type { Data } from "../definition/data.ts";
import { defineEndpoint } from "../definition/endpoint.ts";
import { boundedList, conversationParams, countInQuery, writtenText } from "../definition/fields.ts";
import { MAX_ATTACHMENTS, MAX_MESSAGE_CHARS } from "../definition/limits.ts";
import { okOrProblem, problem, usualProblems } from "../definition/problem.ts";
import { branchPageSchema, conversationPageSchema, conversationSchema, createdSchema } from "../views/conversation.ts";
import { sentFile } from "./turns.ts";

const tag = "Conversations";
const title = writtenText().trim().min(1).max(500);

export const listConversations = defineEndpoint({
  method: "get",
  path: "/api/conversations",
  tag,
  summary: "Lists conversations, or searches them for all words of `q` in title or text",
  query: z.object({
    q: z.string().max(1_000).optional(),
    cursor: z.string().max(200).optional(),
    limit: countInQuery(1, 200).default(50),
  }),
  answers: okOrProblem(
    "Sorted by most recent activity; search results list matches in titles first, then matches in texts, newest first. A page may have fewer than `limit` entries; `next_cursor` is null at the end.",
    conversationPageSchema,
  ),
});

export const createConversation = defineEndpoint({
  method: "post",
  path: "/api/conversations",
  tag,
  summary: "Creates a conversation",
  body: z.object({
    title: title.optional(),
    agent: z.string().min(1).max(200).optional(),
    reasoning: reasoningSchema.optional().describe("How much the model reasons for messages that do not set it"),
  }),
  answers: { 201: { description: "The conversation exists.", schema: createdSchema }, ...usualProblems },
});

export const renameConversation = defineEndpoint({
  method: "patch",
  path: "/api/conversations/{id}",
  tag,
  summary: "Renames a conversation",
  params: conversationParams,
  body: z.object({ title }),
  answers: okOrProblem("The conversation with its new title. Works during a turn as well.", conversationSchema),
});

export const deleteConversation = defineEndpoint({
  method: "delete",
  path: "/api/conversations/{id}",
  tag,
  summary: "Deletes a conversation and its files, with all versions or only this one",
  params: conversationParams,
  query: z.object({
    versions: z
      .enum(["all", "this"])
      .default("all")
      .describe("`this` keeps the other conversations of the tree, and the turns they share with this one"),
  }),
  answers: { 204: { description: "The conversation was deleted." }, ...usualProblems },
});

const forkPoint = z.union([
  z.number().int().nonnegative(),
  z.object({ turn_id: z.string().min(1).max(200), edge: z.enum(["before", "after"]) }),
]);
export type ForkPoint = Data<typeof forkPoint>;

export const forkConversation = defineEndpoint({
  method: "post",
  path: "/api/conversations/{id}/fork",
  tag,
  summary: "Starts a new conversation from a point in this one",
  params: conversationParams,
  body: z.object({
    at: forkPoint,
    /** The fork ends before the turn, but its message is kept and sent again. */
    resend: z.boolean().default(false),
  }),
  answers: {
    201: { description: "The new conversation exists.", schema: createdSchema },
    409: problem("A tool call had no result yet at that point of the conversation."),
    ...usualProblems,
  },
});

export const branchConversation = defineEndpoint({
  method: "post",
  path: "/api/conversations/{id}/branch",
  tag,
  summary: "Answers a turn's message again, in a branch: another version of the turn",
  params: conversationParams,
  body: z.object({
    before: z.string().min(1).max(200).describe("The id of the turn"),
    message: writtenText()
      .max(MAX_MESSAGE_CHARS)
      .nullable()
      .optional()
      .describe(
        "A message in place of the turn's own, whose attachments stay. `null` sends none: the next message to the branch becomes the version",
      ),
    model: z.string().min(1).max(200).optional().describe("A model in place of the one that the message asked for"),
    reasoning: reasoningSchema.optional().describe("Reasoning settings in place of those of the message"),
    attachments: boundedList(sentFile, MAX_ATTACHMENTS)
      .default([])
      .describe("Attachments in addition to those of the turn's message"),
  }),
  answers: {
    201: {
      description:
        "The branch exists, and its turn is queued, unless there is no message yet. Its conversation shares the earlier turns with this one, and is the one of its tree that lists show.",
      schema: z.object({
        conversation_id: z.string(),
        turn_id: z.string().nullable(),
        input_key: z.string().nullable(),
        seq: z.number().int().nullable(),
      }),
    },
    409: problem("A tool call before the turn had no result yet."),
    413: problem("The request is too large, or the message would have too many attachments."),
    ...usualProblems,
  },
});

export const listBranches = defineEndpoint({
  method: "get",
  path: "/api/conversations/{id}/branches",
  tag,
  summary: "Lists the conversations of a tree: a conversation and its branches",
  params: conversationParams,
  query: z.object({ cursor: z.string().max(200).optional(), limit: countInQuery(1, 200).default(50) }),
  answers: okOrProblem("The conversations, in the order in which they were made.", branchPageSchema),
});

export const nameVersion = defineEndpoint({
  method: "patch",
  path: "/api/conversations/{id}/versions/{number}",
  tag,
  summary: "Names the conversation's version of a turn",
  params: conversationParams.extend({
    number: countInQuery(1, Number.MAX_SAFE_INTEGER).describe("Number of the turn"),
  }),
  body: z.object({ name: writtenText().trim().max(200).describe("An empty name removes the name") }),
  answers: { 204: { description: "The version has this name. The title stays as it is." }, ...usualProblems },
});

export const showConversation = defineEndpoint({
  method: "post",
  path: "/api/conversations/{id}/show",
  tag,
  summary: "Lets lists show this conversation of its tree",
  params: conversationParams,
  answers: { 204: { description: "Lists of conversations now show this one." }, ...usualProblems },
});
