import { z } from "zod";
import { defineEndpoint } from "../definition/endpoint.ts";
import { conversationParams, countInQuery, modeSchema } from "../definition/fields.ts";
import { okOrProblem } from "../definition/problem.ts";
import { conversationSchema, forkedFromSchema, versionsSchema } from "../views/conversation.ts";
import { json } from "../views/json.ts";
import { liveEvents } from "../views/live-events.ts";
import { sourceSchema } from "../views/source.ts";
import { turnSchema } from "../views/turn.ts";

const streamSchema = liveEvents["stream.delta"].omit({ offset: true });

const pendingSchema = z.object({
  key: z.string(),
  mode: modeSchema,
  message: z.string(),
  attachments: z.array(z.object({ name: z.string(), mime: z.string(), size_bytes: z.number() })),
  ts: z.string(),
});

const approvalSchema = z.object({
  call_id: z.string(),
  tool_id: z.string(),
  /** The parameters with which the call will run, with references replaced by their content. */
  params: json,
  /** Hash of the request; an answer may repeat it. Null for a request from an earlier version. */
  hash: z.string().nullable(),
  turn_id: z.string().nullable(),
  question: z
    .looseObject({ message: z.string(), form: json.optional(), url: z.string().optional() })
    .optional()
    .describe("What the call asks: a form as a JSON Schema, or a page to visit. `params` is null"),
  client: z.literal(true).optional().describe("The client runs the call; answer with its `output`"),
});

export const readConversation = defineEndpoint({
  method: "get",
  path: "/api/conversations/{id}",
  tag: "Conversations",
  summary: "Reads a conversation's turns",
  params: conversationParams,
  query: z.object({ before: countInQuery(1, 1e9).optional(), limit: countInQuery(1, 100).default(20) }),
  answers: okOrProblem(
    "The last turns, or those before turn number `before`. To continue, follow the events after `seq`.",
    z.object({
      conversation: conversationSchema,
      forked_from: forkedFromSchema
        .nullable()
        .describe("The conversation of which this one is a copy up to `seq`; null if it was deleted"),
      listed: z.boolean().describe("False when lists show another conversation of the tree"),
      versions: z.array(versionsSchema).describe("The turns of which the tree has several versions"),
      seq: z.number().int(),
      turns: z.array(turnSchema),
      has_more: z.boolean(),
      sources: z.array(sourceSchema),
      highest_sid: z.number().int(),
      streams: z.array(streamSchema),
      pending: z.array(pendingSchema),
      approvals: z.array(approvalSchema),
    }),
  ),
});
