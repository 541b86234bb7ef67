/** Schemas of the server's responses. Unknown fields are allowed. */
import type { ApprovalView, FileView, SourceRow, TurnView } from "@cairn/timeline";
import { z } from "zod";

// Zod would compile its schemas with `new Function`, which the content security policy forbids and reports.
z.config({ jitless: true });

const text = z.string();

const hasText = (value: unknown, field: string) =>
  typeof value === "object" && value !== null && typeof Reflect.get(value, field) === "string";

/** Views are made by the engine's own fold, on the server as here, so only their kind is checked. */
const turnView = z.custom<TurnView>((value) => hasText(value, "turn_id"), "a turn needs a `turn_id`");
const approvalView = z.custom<ApprovalView>((value) => hasText(value, "call_id"), "an approval needs a `call_id`");
const fileView = z.custom<FileView>((value) => hasText(value, "path"), "a file needs a `path`");
export const sourceRow = z.custom<SourceRow>(
  (value) => typeof value === "object" && value !== null && typeof Reflect.get(value, "sid") === "number",
  "a source needs a `sid`",
);

const status = z.enum(["idle", "queued", "running", "waiting"]).catch("idle");

export const conversationSchema = z.object({
  conversation_id: text,
  title: text.nullable(),
  agent: text.nullable(),
  created_at: text,
  last_activity_at: text,
  status,
  last_seq: z.number(),
  snippet: text.optional(),
  /** The block the snippet comes from. */
  found: z.object({ turn_id: text.nullable(), type: text, path: text.nullish() }).optional(),
});

export const searchHitsSchema = z.object({
  hits: z.array(z.object({ seq: z.number(), turn_id: text.nullable(), type: text, path: text.nullish() })),
  next_cursor: text.nullable(),
});
export type SearchHit = z.infer<typeof searchHitsSchema>["hits"][number];
export type Conversation = z.infer<typeof conversationSchema>;
export type ConversationStatus = Conversation["status"];

export const metaSchema = z.object({
  version: text,
  agents: z.array(z.object({ name: text, model: text, tools: z.array(text) })),
  /** Models that a message may ask for. */
  models: z.array(text).catch([]),
  limits: z.object({ upload_bytes: z.number(), attachments: z.number(), message_chars: z.number() }),
  scope: z.object({ tenant: text, project: text, user: text }),
  offline: z.boolean(),
  /** Whether the caller may see internal content; an older server does not restrict it. */
  inspect: z.boolean().catch(true),
});
export type Meta = z.infer<typeof metaSchema>;

export const conversationListSchema = z.object({
  conversations: z.array(conversationSchema),
  next_cursor: text.nullable(),
});

const openStream = z.object({
  stream: text,
  turn_id: text.nullable(),
  kind: text,
  path: text.nullish(),
  text,
});

const attachment = z.object({ name: text, mime: text, size_bytes: z.number().catch(0) });

const pendingInput = z.object({
  key: text,
  mode: z.enum(["turn", "steer", "follow-up"]),
  message: text,
  attachments: z.array(attachment).catch([]),
});

export const conversationPageSchema = z.object({
  conversation: conversationSchema,
  seq: z.number(),
  turns: z.array(turnView),
  has_more: z.boolean(),
  sources: z.array(sourceRow),
  highest_sid: z.number(),
  streams: z.array(openStream),
  pending: z.array(pendingInput),
  approvals: z.array(approvalView),
});
export type ConversationPage = z.infer<typeof conversationPageSchema>;

/** The content at a path; for sources, their rows as JSON. */
export const foundTextSchema = z.object({ text: text.nullable() });

const standingOrder = z.object({
  id: text,
  kind: text,
  text,
  path: text.nullable(),
  by: z.enum(["person", "agent"]).catch("person"),
});
export type ListedOrder = z.infer<typeof standingOrder>;
export const orderListSchema = z.object({ orders: z.array(standingOrder) });

export const createdSchema = z.object({ conversation_id: text });

/** Open calls and turns of an imported file were closed. */
export const importedSchema = createdSchema.extend({
  closed_turn: z.string().nullable(),
  dropped_messages: z.number().int(),
});
export type Imported = z.infer<typeof importedSchema>;
export const acceptedSchema = z.object({ turn_id: text.nullable(), input_key: text, seq: z.number() });

const fileVersion = z.object({
  version: z.number(),
  turn_id: text.nullable(),
  ts: text.nullable(),
  size_bytes: z.number().nullable(),
});
export type FileVersion = z.infer<typeof fileVersion>;

export const fileListSchema = z.object({
  files: z.array(z.intersection(fileView, z.object({ versions: z.array(fileVersion).catch([]) }))),
});
export type ListedFile = z.infer<typeof fileListSchema>["files"][number];
