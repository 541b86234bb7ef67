import { reasoningSchema } from "@cairn/timeline";
import { z } from "zod";
import type { Data } from "../definition/data.ts";
import { defineEndpoint } from "../definition/endpoint.ts";
import { boundedList, conversationParams, timeZoneSchema } from "../definition/fields.ts";
import { MAX_CHAT_MESSAGES, MAX_MESSAGE_PARTS } from "../definition/limits.ts";
import { problem, usualProblems } from "../definition/problem.ts";
import { messageSettingsSchema } from "./turns.ts";

const tag = "AI SDK";
const mime = "text/event-stream";

const sentMessage = z.looseObject({
  id: z.string().max(200),
  role: z.enum(["system", "user", "assistant"]),
  parts: boundedList(z.looseObject({ type: z.string() }), MAX_MESSAGE_PARTS),
});
export type ChatMessage = Data<typeof sentMessage>;

const chatRequest = z.object({
  id: z
    .string()
    .min(1)
    .max(512)
    .refine((id) => id !== "." && id !== "..", "is not a valid conversation id"),
  messages: boundedList(sentMessage, MAX_CHAT_MESSAGES, 1),
  trigger: z.enum(["submit-message", "regenerate-message"]).default("submit-message"),
  messageId: z.string().max(200).optional(),
  model: z.string().min(1).max(200).optional(),
  settings: messageSettingsSchema.optional().describe("Settings of the requests to the model"),
  reasoning: reasoningSchema.optional().describe("How much the model reasons before it answers"),
  time_zone: timeZoneSchema.optional(),
  on_disconnect: z
    .enum(["continue", "stop"])
    .default("continue")
    .describe(
      "Whether the turn continues or stops when the client disconnects; `stop()` of a chat without `resume` only disconnects",
    ),
});

export const sendChat = defineEndpoint({
  method: "post",
  path: "/api/chat",
  tag,
  summary: "Sends the last message of a chat and streams the answer",
  body: chatRequest,
  answers: {
    200: { description: "A UI message stream.", mime },
    413: problem("The request is too large."),
    ...usualProblems,
  },
});

/** An AI SDK message consists of the parts that the AI SDK defines. */
const historyMessage = z.looseObject({
  id: z.string(),
  role: z.enum(["user", "assistant"]),
  metadata: z.looseObject({}).optional(),
  parts: z.array(z.looseObject({ type: z.string() })),
});
/** A message in the form of the AI SDK's `UIMessage`. */
export type HistoryMessage = Data<typeof historyMessage>;

export const readChat = defineEndpoint({
  method: "get",
  path: "/api/chat/{id}",
  tag,
  summary: "Returns the last turns of a conversation as messages of the AI SDK",
  params: conversationParams,
  query: z.object({
    limit: z.coerce.number().int().min(1).max(500).default(100).describe("Maximum number of turns"),
    before: z.coerce
      .number()
      .int()
      .min(1)
      .optional()
      .describe("Only turns before this turn number, which the header `cairn-before` of the last response has"),
  }),
  answers: {
    200: {
      description:
        "A list of `UIMessage`, oldest first. Fewer turns than `limit` are returned if they take more than 8 MB together. If there are earlier turns, the header `cairn-before` has the value of `before` that returns them.",
      schema: z.array(historyMessage),
    },
    ...usualProblems,
  },
});

export const resumeChat = defineEndpoint({
  method: "get",
  path: "/api/chat/{id}/stream",
  tag,
  summary: "Resumes the answer that is being written",
  params: conversationParams,
  answers: {
    200: { description: "The message so far, then the rest of it as it is written.", mime },
    204: { description: "No answer is being written." },
    401: usualProblems[401],
  },
});
