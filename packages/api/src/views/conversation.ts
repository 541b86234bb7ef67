/** A conversation as lists show it. */
import { z } from "zod";
import type { Data } from "../definition/data.ts";

export const statusSchema = z.enum(["idle", "queued", "running", "waiting"]);
export type ConversationStatus = Data<typeof statusSchema>;

export const conversationSchema = z.object({
  conversation_id: z.string(),
  title: z.string().nullable(),
  agent: z.string().nullable(),
  created_at: z.string(),
  last_activity_at: z.string(),
  status: statusSchema,
  last_seq: z.number().int(),
});
export type Conversation = Data<typeof conversationSchema>;

const listedConversation = z.intersection(
  conversationSchema,
  z.object({
    snippet: z.string().optional(),
    found: z
      .object({ turn_id: z.string().nullable(), type: z.string(), path: z.string().nullable() })
      .optional()
      .describe("The block that the snippet comes from"),
  }),
);
export type ListedConversation = Data<typeof listedConversation>;

export const conversationPageSchema = z.object({
  conversations: z.array(listedConversation),
  next_cursor: z.string().nullable(),
});

const branchSchema = z.intersection(
  conversationSchema,
  z.object({
    listed: z.boolean().describe("Whether lists show this conversation"),
    branched_from: z
      .object({ conversation_id: z.string(), seq: z.number().int() })
      .nullable()
      .describe(
        "The conversation with whose events, up to `seq`, this one begins; null for the first conversation of a tree",
      ),
    names: z
      .array(z.object({ turn: z.number().int(), name: z.string() }))
      .describe("The names of its versions of turns, by the number of the turn"),
  }),
);
export type Branch = Data<typeof branchSchema>;

export const branchPageSchema = z.object({ branches: z.array(branchSchema), next_cursor: z.string().nullable() });

/** A turn that has several versions in the tree. */
export const versionsSchema = z.object({
  turn: z.number().int().describe("Number of the turn"),
  conversations: z.array(z.string()).describe("For each version, the conversation to open"),
  current: z.number().int().describe("Index of the version in this conversation"),
});
export type TurnVersions = Data<typeof versionsSchema>;

/** The conversation of which this one is a copy up to `seq`. */
export const forkedFromSchema = z.object({
  conversation_id: z.string(),
  title: z.string().nullable(),
  seq: z.number().int(),
});
export type ForkedFrom = Data<typeof forkedFromSchema>;

export const createdSchema = z.object({ conversation_id: z.string() });
