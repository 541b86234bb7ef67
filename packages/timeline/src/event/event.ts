/**
 * The events a conversation is made of. The journal of events is the truth; everything else is folded from it.
 *
 * Inputs may be appended by anyone and are idempotent by `key`. Timeline events are appended by the one writer that
 * holds the conversation's lease. Blocks are named by `position`: the ordinal of a block among all blocks ever appended
 * to the conversation, which never changes and is known before a store assigns its sequence number.
 *
 * A body may contain unknown fields; they are kept. A change of meaning needs a new version of the codec (`codec.ts`)
 * and a decision record.
 */
import { z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import { BLOCK_STRING_FIELDS, type Block } from "../block/block.ts";
import { isSid, type SourceRow } from "../sources/row.ts";
import { reasoningSchema } from "./reasoning.ts";

const text = z.string();
const count = z.number().int().nonnegative();

const block = z.custom<Block>(isStorableBlock, "a block needs a string `type`, string fields and an object `meta`");

function isStorableBlock(value: unknown): boolean {
  if (!isJsonObject(value) || typeof value.type !== "string" || value.type === "") return false;
  if (value.meta !== undefined && !isJsonObject(value.meta)) return false;
  return BLOCK_STRING_FIELDS.every((field) => value[field] === undefined || typeof value[field] === "string");
}

const jsonObject = z.custom<JsonObject>(isJsonObject, "must be a JSON object");

const row = z.custom<SourceRow>((value) => isJsonObject(value) && isSid(value.sid), "a row needs a positive `sid`");

const attachment = z.looseObject({ name: text, mime: text, blob: text, size_bytes: count });

const overlayGroup = z.looseObject({
  positions: z.array(count).min(1),
  /** The block that shows the replacement; one of `positions`. */
  anchor: count,
  replacement: text,
});

/**
 * The choices of a message, and the context that the application sent with it for its tools. Earlier versions kept
 * agent and model outside the journal. `output` is the JSON Schema that the answer must match, and `reasoning` how much
 * the model reasons.
 */
const choice = {
  agent: text.optional(),
  model: text.optional(),
  context: jsonObject.optional(),
  output: jsonObject.optional(),
  reasoning: reasoningSchema.optional(),
};

/**
 * A question of a tool to a person. `form` is the JSON Schema of an object with plain values, which is the answer. `url` is
 * a page that the person has to visit.
 */
const question = z.looseObject({ message: text, form: jsonObject.optional(), url: text.optional() });
export type Question = z.infer<typeof question>;

/** The schema of each kind. A schema is made when it is first needed, because a process meets few of the kinds. */
export const EVENT_BODIES = {
  // Inputs.
  "input.received": () =>
    z.looseObject({
      key: text,
      mode: z.enum(["turn", "steer", "follow-up"]),
      message: text,
      attachments: z.array(attachment),
      ts: text,
      ...choice,
    }),
  /** Waiting messages, by key, that no turn may answer. A message that a turn has taken before is answered. */
  "input.withdrawn": () => z.looseObject({ key: text, ts: text, messages: z.array(text) }),
  /** `turn_id`: the only turn that the event stops, also if a waiting message opens this turn later. */
  "cancel.requested": () => z.looseObject({ key: text, ts: text, turn_id: text.optional() }),
  /**
   * `hash` is the hash of the request that the approval answers; an approval for other content does not count. `grant`
   * allows later calls of the tool in this conversation. Earlier versions had neither field.
   */
  "approval.given": () =>
    z.looseObject({
      key: text,
      call_id: text,
      approve: z.boolean(),
      ts: text,
      hash: text.optional(),
      grant: text.optional(),
      /** The reason for the decision, which the model reads. */
      reason: text.optional(),
      /** The parameters as the approver changed them, and their hash together with the call and the conversation. */
      params: jsonObject.optional(),
      params_hash: text.optional(),
      /** The values that the person entered into the form of a question. */
      answer: jsonObject.optional(),
      /** The person closed a question without answering or declining it. */
      dismissed: z.boolean().optional(),
      /** The result of a call that a client ran itself: its output, or why it failed. */
      output: z.custom<Json>().optional(),
      error: text.optional(),
    }),
  "feedback.received": () => z.looseObject({ key: text, turn_id: text, reaction: text, ts: text }),
  /** A person adds, corrects or closes a standing order. The next turn writes it to the timeline. */
  "order.changed": () =>
    z.looseObject({
      key: text,
      ts: text,
      /** The text of the order; absent when orders are only closed. */
      text: text.optional(),
      kind: text.optional(),
      closes: z.array(z.object({ path: text, text })),
    }),
  /** Gives the conversation a title; with `replaces`, only if it has that title at this point of the journal. */
  "title.given": () => z.looseObject({ key: text, ts: text, title: text, replaces: text.nullable().optional() }),
  /** An operator releases a turn from quarantine: its message was sent again. */
  "turn.released": () => z.looseObject({ key: text, turn_id: text, ts: text }),
  // Timeline events.
  /**
   * A process (`by`) starts to work on the turn: a new attempt. Attempts of different processes in a row, with no other
   * timeline event between them, mean that the turn crashed these processes.
   */
  "turn.attempted": () => z.looseObject({ turn_id: text, ts: text, by: text }),
  /** The last attempt at the turn ended without a result and without a crash: its process was asked to stop. */
  "turn.suspended": () => z.looseObject({ turn_id: text, ts: text }),
  /** The agent, the model, the context and the schema of the answer are those of its message, if any. */
  "turn.opened": () => z.looseObject({ turn_id: text, ts: text, ...choice }),
  "turn.closed": () => z.looseObject({ turn_id: text, ts: text, exit: text }),
  /**
   * `tokens`: the block's size as the model sees it. `version`: the number of this write to the path; 0 for no write.
   */
  "block.appended": () => z.looseObject({ position: count, block, tokens: count, version: count }),
  "blocks.hidden": () => z.looseObject({ groups: z.array(overlayGroup) }),
  "blocks.pruned": () => z.looseObject({ by: z.enum(["ttl", "policy"]), groups: z.array(overlayGroup) }),
  /** Shows only the first lines of each block, or nothing. A later clip of a block replaces an earlier one. */
  "blocks.clipped": () =>
    z.looseObject({
      clips: z.array(
        z.looseObject({
          position: count,
          shown_lines: count,
          omitted: z.literal(true).optional(),
          file_limit: z.literal(true).optional(),
        }),
      ),
    }),
  /** The window becomes the summary followed by every block from position `cut` on. */
  "compaction.committed": () =>
    z.looseObject({
      cut: count,
      position: count,
      summary: block,
      tokens: count,
      version: count,
      /** Tokens visible before and after the compaction, without the tail. Earlier versions did not record them. */
      before_tokens: count.optional(),
      after_tokens: count.optional(),
    }),
  /** The rows after the merge; only new and changed ones. */
  "sources.merged": () => z.looseObject({ rows: z.array(row) }),
  /** The title of a conversation, as earlier versions set it. */
  "meta.set": () =>
    z.looseObject({
      conversation_title: text.nullable().optional(),
      conversation_started_at: text.nullable().optional(),
      last_activity_at: text.nullable().optional(),
      cache_last_touch_at: z.number().nullable().optional(),
      cache_last_ttl_seconds: z.number().nullable().optional(),
    }),
  "call.started": () => z.looseObject({ turn_id: text, call_id: text, tool_id: text, ts: text }),
  "call.settled": () => z.looseObject({ call_id: text, outcome: z.enum(["ok", "error", "interrupted"]), ts: text }),
  /**
   * `params` are the parameters that will run. `hash` identifies them with the call and the conversation. With
   * `question`, a call that has started asks a person instead, and `hash` identifies the question. The tool gets `resume`
   * back with the answer.
   */
  "approval.requested": () =>
    z.looseObject({
      call_id: text,
      ts: text,
      hash: text.optional(),
      question: question.optional(),
      /** Position of the next block when the question was asked, which tells equal questions of a call apart. */
      asking: count.optional(),
      /** The client runs the call. The turn waits for its output instead of an approval. */
      client: z.literal(true).optional(),
    }),
  /** Open calls and turns of an imported file were closed; no approval in the file counts. */
  "conversation.imported": () =>
    z.looseObject({
      ts: text,
      closed_turn: text.nullable(),
      dropped_messages: count,
      withdrawn_approvals: count,
    }),
  /** A `Receipt` (`receipt/receipt.ts`). Every field except the start of the request may be missing. */
  "model.receipt": () =>
    z
      .looseObject({
        n: count,
        previous: count.nullable(),
        keep: count,
        added: z.array(text).readonly(),
        stable: count,
        checkpoints: z.array(count).readonly(),
        tools: text,
        tool_hashes: z.array(z.object({ name: text, hash: text })).readonly(),
        system: text,
        tail: text,
        tokens: z.object({ tools: z.number(), system: z.number(), stable: z.number(), tail: z.number() }),
        usage: z.object({
          input_tokens: z.number(),
          cache_read_tokens: z.number(),
          cache_write_tokens: z.number(),
          output_tokens: z.number(),
        }),
        cost: z.number(),
        resets: z.array(z.object({ cause: text })).readonly(),
        renderer_version: count,
      })
      .partial()
      .extend({ started_at: z.number() }),
  "input.promoted": () => z.looseObject({ key: text, turn_id: text }),
} as const;

export type EventKind = keyof typeof EVENT_BODIES;
export type EventBody<K extends EventKind> = z.infer<ReturnType<(typeof EVENT_BODIES)[K]>>;

export type KnownEvent = {
  [K in EventKind]: { readonly kind: K; readonly v: number; readonly body: EventBody<K> };
}[EventKind];

/** An event of an unknown kind. Copies keep it, and it has no effect on the state. */
interface UnknownEvent {
  readonly kind: string & { readonly __unknown?: never };
  readonly v: number;
  readonly body: unknown;
  readonly unknown: true;
}

export type TimelineEvent = KnownEvent | UnknownEvent;

/** The kinds anyone may append without holding the lease. */
export const INPUT_KINDS: ReadonlySet<string> = new Set<EventKind>([
  "input.received",
  "input.withdrawn",
  "cancel.requested",
  "approval.given",
  "feedback.received",
  "order.changed",
  "title.given",
  "turn.released",
]);

export function isKnown(event: TimelineEvent): event is KnownEvent {
  return !("unknown" in event);
}
