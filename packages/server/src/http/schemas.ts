/** Schemas that several endpoints share. `docs/api.md` is generated from them. */
import { isTimeZone } from "@cairn/timeline";
import { z } from "@hono/zod-openapi";

export const conversationParams = z.object({ id: z.string().min(1).max(512) });

/** Text written by a person. A lone surrogate is not a character, and many JSON readers reject it. */
export const writtenText = () => z.string().overwrite((text) => text.toWellFormed());

/**
 * A list in a request with a maximum length. Validation stops at the first invalid item: otherwise a list of invalid
 * items would take hundreds of bytes of memory for each of its bytes.
 */
export function boundedList<T extends z.ZodType>(item: T, max: number, min = 0) {
  return z.preprocess((value, context) => {
    if (!Array.isArray(value)) return value;
    if (value.length > max) {
      context.addIssue({ code: "custom", message: `has ${value.length} items; at most ${max} are allowed` });
      return z.NEVER;
    }
    for (const [at, each] of value.entries()) {
      const [issue] = item.safeParse(each).error?.issues ?? [];
      if (issue === undefined) continue;
      context.addIssue({ code: "custom", message: issue.message, path: [at, ...issue.path] });
      return z.NEVER;
    }
    return value;
  }, z.array(item).min(min).max(max));
}

/** A number in a query, where everything is a string. */
export const countInQuery = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

export const problemSchema = z
  .object({
    error: z.object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()).optional() }),
  })
  .openapi("Problem");

const statusSchema = z.enum(["idle", "queued", "running", "waiting"]);

export const conversationSchema = z
  .object({
    conversation_id: z.string(),
    title: z.string().nullable(),
    agent: z.string().nullable(),
    created_at: z.string(),
    last_activity_at: z.string(),
    status: statusSchema,
    last_seq: z.number().int(),
  })
  .openapi("Conversation");

export const timeZoneSchema = z
  .string()
  .max(100)
  .refine(isTimeZone, "This time zone is unknown. Use an IANA name such as Europe/Berlin.")
  .describe("The time zone of the user: an IANA name such as Europe/Berlin");

export const fileSchema = z
  .object({
    path: z.string(),
    physical_path: z.string().nullable(),
    name: z.string(),
    mime: z.string().nullable(),
    size_bytes: z.number().nullable(),
    version: z.number().int(),
    kind: z.string().nullable(),
    hosted: z.boolean(),
    sources_known: z.number().int(),
  })
  .openapi("File");

const errorSchema = z.object({ code: z.string(), message: z.string() });

const roundSchema = z
  .object({
    call_id: z.string(),
    tool_id: z.string(),
    notes: z.string().nullable(),
    sources_known: z.number().int(),
    params: z.unknown(),
    code: z.string().nullable(),
    status: z.enum(["waiting_approval", "running", "ok", "error", "interrupted"]),
    outcome: z
      .object({ kind: z.enum(["ok", "partly_failed", "failed", "refused"]), reason: z.string().nullable() })
      .nullable(),
    started_at: z.string().nullable(),
    settled_at: z.string().nullable(),
    results: z.array(
      z.object({
        path: z.string().nullable(),
        mime: z.string().nullable(),
        text: z.string(),
        position: z.number().int(),
        cut: z.boolean(),
      }),
    ),
    error: errorSchema.nullable(),
    files: z.array(fileSchema),
  })
  .openapi("Round");

export const turnSchema = z
  .object({
    turn_id: z.string(),
    n: z.number().int(),
    opened_seq: z.number().int(),
    opened_at: z.string().nullable(),
    closed_at: z.string().nullable(),
    exit: z.string().nullable(),
    error: errorSchema.nullable(),
    prompt: z.object({ text: z.string(), ts: z.string().nullable() }),
    attachments: z.array(fileSchema),
    inputs: z.array(
      z.object({
        mode: z.enum(["steer", "follow-up"]),
        text: z.string(),
        attachments: z.array(fileSchema),
        ts: z.string().nullable(),
      }),
    ),
    rounds: z.array(roundSchema),
    plan: z
      .object({
        id: z.string(),
        closed: z.boolean(),
        steps: z.array(z.object({ text: z.string(), status: z.enum(["done", "failed", "pending", "in_progress"]) })),
      })
      .nullable(),
    completion: z
      .object({
        text: z.string(),
        path: z.string().nullable(),
        position: z.number().int(),
        sources_known: z.number().int(),
        interrupted: z.boolean(),
        clarification: z.boolean(),
      })
      .nullable(),
    files: z.array(fileSchema),
    followups: z.array(z.string()),
    feedback: z.array(z.object({ reaction: z.string(), ts: z.string() })),
    notices: z.array(
      z.object({
        code: z.string(),
        message: z.string(),
        call_id: z.string().nullable(),
        position: z.number().int(),
      }),
    ),
    compacted: z.boolean(),
    compactions: z.array(
      z.object({ before_tokens: z.number().int().nullable(), after_tokens: z.number().int().nullable() }),
    ),
  })
  .openapi("Turn");

export const sourceSchema = z
  .looseObject({ sid: z.number().int(), title: z.string().optional(), url: z.string().optional() })
  .openapi("Source");

export const approvalSchema = z.object({
  call_id: z.string(),
  tool_id: z.string(),
  /** The parameters that will run, with references bound. */
  params: z.unknown(),
  /** Hash of the request; an answer may repeat it. Null for a request from an earlier version. */
  hash: z.string().nullable(),
  turn_id: z.string().nullable(),
});

/** The error responses that every endpoint of a conversation may give. */
export const usualProblems = {
  400: { description: "The request is not valid.", schema: problemSchema },
  401: { description: "The token is missing or unknown.", schema: problemSchema },
  404: { description: "Not found in the caller's scope.", schema: problemSchema },
  507: {
    description: "A write has no room: the user's or tenant's storage is full, or the server's disk.",
    schema: problemSchema,
  },
  429: {
    description:
      "A limit of the user or the tenant is reached. `details` names it, `retry-after` says when to come back.",
    schema: problemSchema,
  },
} as const;
