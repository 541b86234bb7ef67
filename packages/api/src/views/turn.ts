/** A turn as a person sees it: the timeline's `TurnView` as a schema. The type check of the server compares both. */
import { z } from "zod";
import { json } from "./json.ts";

export const fileSchema = z.object({
  path: z.string(),
  physical_path: z.string().nullable(),
  name: z.string(),
  mime: z.string().nullable(),
  size_bytes: z.number().nullable(),
  version: z.number().int(),
  kind: z.string().nullable(),
  hosted: z.boolean(),
  sources_known: z.number().int(),
});

const errorSchema = z.object({ code: z.string(), message: z.string() });

const resultSchema = z.object({
  path: z.string().nullable(),
  mime: z.string().nullable(),
  text: z.string(),
  position: z.number().int(),
  cut: z.boolean(),
});

const traitsSchema = z.object({
  bulky: z.boolean().optional(),
  showsAgain: z.boolean().optional(),
  refers: z.boolean().optional(),
  files: z.enum(["written", "patched", "output"]).optional(),
  rows: z.boolean().optional(),
  report: z.enum(["program", "pages", "paths"]).optional(),
  client: z.boolean().optional(),
  language: z.string().optional(),
  label: z
    .object({
      icon: z.enum(["read", "write", "plan", "search", "web", "run", "hide", "document", "tool"]),
      done: z.string(),
      doing: z.string(),
      shows: z.object({ params: z.array(z.string()), as: z.enum(["text", "quote", "file", "host"]) }).optional(),
    })
    .optional(),
});

export const roundSchema = z.object({
  call_id: z.string(),
  tool_id: z.string(),
  traits: traitsSchema,
  notes: z.string().nullable(),
  thinking: z.string().optional().describe("What the model thought before the decision, if it can be read"),
  sources_known: z.number().int(),
  params: json,
  code: z.string().nullable(),
  status: z.enum(["waiting_approval", "running", "ok", "error", "interrupted"]),
  outcome: z
    .object({ kind: z.enum(["ok", "partly_failed", "failed", "refused"]), reason: z.string().nullable() })
    .nullable(),
  started_at: z.string().nullable(),
  settled_at: z.string().nullable(),
  results: z.array(resultSchema),
  error: errorSchema.nullable(),
  files: z.array(fileSchema),
});

const madeWith = z
  .string()
  .optional()
  .describe("The prompt of an MCP server that the message was made with, such as `shop.greeting`");

const inputSchema = z.object({
  mode: z.enum(["steer", "follow-up"]),
  text: z.string(),
  attachments: z.array(fileSchema),
  ts: z.string().nullable(),
  made_with: madeWith,
});

const planSchema = z.object({
  id: z.string(),
  closed: z.boolean(),
  steps: z.array(z.object({ text: z.string(), status: z.enum(["done", "failed", "pending", "in_progress"]) })),
});

const completionSchema = z.object({
  text: z.string(),
  path: z.string().nullable(),
  position: z.number().int(),
  sources_known: z.number().int(),
  interrupted: z.boolean(),
  clarification: z.boolean(),
  output: json.optional().describe("The value, if the message asked for structured output; `text` is its JSON"),
});

const noticeSchema = z.object({
  code: z.string(),
  message: z.string(),
  call_id: z.string().nullable(),
  position: z.number().int(),
});

export const turnSchema = z.object({
  turn_id: z.string(),
  n: z.number().int(),
  opened_seq: z.number().int(),
  opened_at: z.string().nullable(),
  closed_at: z.string().nullable(),
  exit: z.string().nullable(),
  error: errorSchema.nullable(),
  prompt: z.object({ text: z.string(), ts: z.string().nullable(), made_with: madeWith }),
  attachments: z.array(fileSchema),
  inputs: z.array(inputSchema),
  rounds: z.array(roundSchema),
  plan: planSchema.nullable(),
  thinking: z.string().optional().describe("What the model thought before its answer, if it can be read"),
  completion: completionSchema.nullable(),
  model: z.string().optional().describe("The model of the turn's last request"),
  files: z.array(fileSchema),
  followups: z.array(z.string()),
  feedback: z.array(z.object({ reaction: z.string(), ts: z.string() })),
  notices: z.array(noticeSchema),
  compacted: z.boolean(),
  compactions: z.array(
    z.object({ before_tokens: z.number().int().nullable(), after_tokens: z.number().int().nullable() }),
  ),
});
