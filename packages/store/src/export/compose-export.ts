/** The export file of a conversation that no store has, such as one of another system. */
import { createHash } from "node:crypto";
import type { BlobRef, JsonObject, TimelineEvent } from "@cairn/timeline";
import { BYTES_PER_LINE, type ExportHeader } from "./format.ts";

export interface ComposedConversation {
  /** Time of the export, in epoch milliseconds. */
  readonly at: number;
  readonly attributes: JsonObject;
  readonly events: readonly TimelineEvent[];
  readonly blobs: ReadonlyMap<BlobRef, Uint8Array>;
}

export function* composeExport(conversation: ComposedConversation): Generator<Uint8Array> {
  const hash = createHash("sha256");
  for (const line of linesOf(conversation)) {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    hash.update(bytes);
    yield bytes;
  }
  yield Buffer.from(`${JSON.stringify({ sha256: hash.digest("hex") })}\n`);
}

function* linesOf({ at, attributes, events, blobs }: ComposedConversation): Generator<object> {
  const header: ExportHeader = {
    created_at: at,
    last_activity_at: at,
    forked_from: null,
    attributes,
    blobs: blobs.size,
    events: events.length,
    artifacts: 0,
  };
  yield { cairn_export: 1, ...header };
  for (const [blob, bytes] of blobs) {
    yield { blob, size: bytes.length };
    for (let start = 0; start < bytes.length; start += BYTES_PER_LINE)
      yield { bytes: Buffer.from(bytes.subarray(start, start + BYTES_PER_LINE)).toString("base64") };
  }
  let batch_end = 0;
  for (const [index, { kind, v, body }] of events.entries()) {
    if (index === batch_end) batch_end = endOfTurn(events, index);
    yield { seq: index + 1, batch_end, stored_at: at, kind, v, body };
  }
}

/** Index after the last event of a turn. The events of a turn are written as one batch. */
function endOfTurn(events: readonly TimelineEvent[], from: number): number {
  let end = from;
  while (end < events.length && events[end]?.kind !== "turn.closed") end++;
  return Math.min(end + 1, events.length);
}
