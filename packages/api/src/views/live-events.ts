/** The events of `GET /api/conversations/{id}/events`. Journal events have their seq as id; others have no id. */
import { z } from "zod";
import type { Data } from "../definition/data.ts";
import { statusSchema } from "./conversation.ts";

/** `say` becomes notes or the answer; `thinking` becomes its reasoning; `write` and `code` become a tool's parameter. */
const streamKind = z.enum(["say", "thinking", "write", "code", "input"]);

export const journalEventSchema = z.object({
  seq: z.number().int(),
  kind: z.string(),
  v: z.number().int(),
  body: z.unknown(),
  ts: z.string(),
});

export type JournalEvent = Data<typeof journalEventSchema>;

const stream = z.object({ stream: z.string() });

export const liveEvents = {
  "stream.delta": z.object({
    stream: z.string(),
    turn_id: z.string().nullable(),
    kind: streamKind,
    path: z.string().optional(),
    /** The call whose input is streamed, and its tool. The text is JSON. */
    call_id: z.string().optional(),
    tool_id: z.string().optional(),
    /** Where the text begins in the stream, in UTF-16 units. */
    offset: z.number().int(),
    text: z.string(),
  }),
  /** The stream ended: its text is in a block, or was dropped. Sent after the journal events that contain the text. */
  "stream.ended": stream,
  /** The text of a stream will not become a block, because it is written again. */
  "stream.discarded": stream,
  progress: z.object({ call_id: z.string(), text: z.string() }),
  /** The model could not be reached. The server retries the request after this many milliseconds. */
  "model.waiting": z.object({ reason: z.string(), ms: z.number() }),
  /** The model's view does not fit any more, so a compaction began. `compaction.committed` ends this state. */
  "compaction.started": z.object({ before_tokens: z.number() }),
  status: z.object({ status: statusSchema, queue_position: z.number().int().optional() }),
  /** The client reads too slowly; the server closes the stream after this event. */
  lagging: z.object({ reason: z.string() }),
} as const;

export type LiveEventName = keyof typeof liveEvents;
export type LiveEvent<K extends LiveEventName> = Data<(typeof liveEvents)[K]>;
