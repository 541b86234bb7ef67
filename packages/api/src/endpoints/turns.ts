import { reasoningSchema, requestSettingsSchema } from "@cairn/timeline";
import { z } from "zod";
import type { Data } from "../definition/data.ts";
import { defineEndpoint } from "../definition/endpoint.ts";
import {
  binary,
  boundedList,
  conversationParams,
  modeSchema,
  sentPromptSchema,
  timeZoneSchema,
  turnParams,
  writtenText,
} from "../definition/fields.ts";
import { MAX_ATTACHMENTS, MAX_MESSAGE_CHARS, MAX_REASON_CHARS } from "../definition/limits.ts";
import { problem, usualProblems } from "../definition/problem.ts";
import { json } from "../views/json.ts";
import { liveEvents } from "../views/live-events.ts";

const tag = "Turns";

export const sentFile = z.object({
  name: z.string().min(1).max(255),
  mime: z.string().max(200).optional(),
  data: z.base64(),
});
export type SentFile = Data<typeof sentFile>;

/** `reasoning` is a separate field of the message. */
export const messageSettingsSchema = requestSettingsSchema.omit({ reasoning: true });

export const messageSchema = z.object({
  message: writtenText().max(MAX_MESSAGE_CHARS).default(""),
  mode: modeSchema.default("turn"),
  model: z.string().min(1).max(200).optional(),
  agent: z.string().min(1).max(200).optional(),
  settings: messageSettingsSchema.optional().describe("Model settings for the turn of this message"),
  output: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("The JSON Schema of the answer, an object. The answer of the turn is then a value that matches it"),
  reasoning: reasoningSchema.optional().describe("How much the model reasons before it answers"),
  time_zone: timeZoneSchema.optional(),
  prompt: sentPromptSchema.optional().describe("The prompt from which the message was made. The journal stores it"),
  attachments: boundedList(sentFile, MAX_ATTACHMENTS).default([]),
});

export type SentMessage = Omit<Data<typeof messageSchema>, "attachments">;

/** How a form writes the fields of a message. Its files are parts with the name `attachments`. */
export const MESSAGE_FORM: Readonly<Record<keyof SentMessage, "text" | "json">> = {
  message: "text",
  mode: "text",
  model: "text",
  agent: "text",
  settings: "json",
  reasoning: "json",
  output: "json",
  time_zone: "text",
  prompt: "json",
};
const formText = z.string().optional();
const formFields = Object.entries(MESSAGE_FORM).map(([name, form]) => [
  name,
  form === "text" ? formText : formText.describe("As JSON"),
]);

export const sendMessage = defineEndpoint({
  method: "post",
  path: "/api/conversations/{id}/turns",
  tag,
  summary: "Sends a message",
  params: conversationParams,
  headers: z.object({ "idempotency-key": z.string().min(1).max(200).optional() }),
  body: messageSchema,
  otherBodies: {
    "multipart/form-data": z.object({
      ...Object.fromEntries(formFields),
      attachments: z.array(binary()).optional(),
    }),
  },
  answers: {
    202: {
      description: "The message was stored. `turn_id` is null for a message that steers a running turn.",
      schema: z.object({ turn_id: z.string().nullable(), input_key: z.string(), seq: z.number().int() }),
    },
    409: problem("The idempotency key was already used for a different message."),
    413: problem("The request is too large."),
    ...usualProblems,
  },
});

const names = Object.keys(liveEvents).map((name) => `\`${name}\``);
const liveNames = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

const accepted = {
  202: { description: "The event was stored.", schema: z.object({ seq: z.number().int() }) },
  ...usualProblems,
} as const;

export const cancelTurn = defineEndpoint({
  method: "post",
  path: "/api/conversations/{id}/cancel",
  tag,
  summary: "Stops the turn that is running or waiting, or withdraws waiting messages",
  params: conversationParams,
  query: z.object({
    waiting: z
      .enum(["keep", "withdraw"])
      .default("keep")
      .describe("`withdraw` also withdraws all messages that wait; no turn will answer them"),
    message: z
      .string()
      .min(1)
      .max(300)
      .optional()
      .describe("The key of a waiting message: withdraws this message and stops nothing"),
  }),
  answers: accepted,
});

export const answerApproval = defineEndpoint({
  method: "post",
  path: "/api/conversations/{id}/approvals/{call}",
  tag,
  summary: "Approves or refuses a call, or answers its question",
  params: conversationParams.extend({ call: z.string().min(1).max(200) }),
  body: z.object({
    approve: z.boolean(),
    /** The `hash` of the request that was shown; required to approve. An answer to another request is rejected. */
    hash: z.string().max(200).optional(),
    /** Whether later calls of the tool in this conversation are approved, too. */
    remember: z.boolean().optional(),
    reason: writtenText()
      .max(MAX_REASON_CHARS)
      .optional()
      .describe("Text for the model, with an approval or a refusal"),
    params: z
      .record(z.string(), json)
      .optional()
      .describe("With an approval: the parameters to run instead of those that were shown"),
    answer: z
      .record(z.string(), json)
      .optional()
      .describe("With an approval, and required if the call asks a question: the values of its form"),
    dismiss: z.boolean().optional().describe("With a refusal: closes the question without declining it"),
    output: json.optional().describe("The output of a call that the client ran; with `approve: true`"),
    error: writtenText()
      .max(MAX_REASON_CHARS)
      .optional()
      .describe("Why the call that the client ran failed, in place of `output`"),
  }),
  answers: {
    ...accepted,
    409: problem(
      "The call was already answered with a different decision, or the call that waits for approval is not the one that was shown.",
    ),
  },
});

export const giveFeedback = defineEndpoint({
  method: "post",
  path: "/api/conversations/{id}/turns/{turn}/feedback",
  tag,
  summary: "Reacts to a turn",
  params: turnParams,
  body: z.object({ reaction: writtenText().trim().min(1).max(200), text: writtenText().max(10_000).optional() }),
  answers: accepted,
});

export const followConversation = defineEndpoint({
  method: "get",
  path: "/api/conversations/{id}/events",
  tag,
  summary: "Follows a conversation",
  params: conversationParams,
  query: z.object({ after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional() }),
  headers: z.object({ "last-event-id": z.string().optional() }),
  answers: {
    200: {
      description: `Server-sent events: every journal event after \`after\` or \`Last-Event-ID\`, with its seq as id; between them, without id, ${liveNames}.`,
      mime: "text/event-stream",
    },
    ...usualProblems,
  },
});

export const followTurn = defineEndpoint({
  method: "get",
  path: "/api/conversations/{id}/turns/{turn}/parts",
  tag,
  summary: "Follows a turn",
  params: turnParams,
  answers: {
    200: {
      description:
        "Server-sent events: each is a part of the turn as JSON, as a run of the library has them, from the beginning of the turn. The last one is the result.",
      mime: "text/event-stream",
    },
    ...usualProblems,
  },
});
