/** An event as a row. The body is the JSON text as written; a CRC-32 over all columns detects changes on disk. */
import { crc32 } from "node:zlib";
import { CairnError, decodeEvent, type Envelope, encodeEvent, type TimelineEvent } from "@cairn/timeline";
import { storeError } from "../contract/errors.ts";
import type { StoredEvent } from "../contract/records.ts";
import { fromColumn } from "./text-column.ts";

export interface EventRow {
  readonly seq: number;
  readonly batch_end: number;
  readonly stored_at: number;
  readonly kind: string;
  readonly v: number;
  readonly crc: number;
  readonly body: string;
}

export const EVENT_COLUMNS = "seq, batch_end, stored_at, kind, v, crc, body";

/** An event that was checked and is ready to be written. */
export interface PreparedEvent {
  readonly event: TimelineEvent;
  readonly body: string;
  readonly blobs: Envelope["blobs"];
}

/** Throws `bad_event` for events that a later load would reject. */
export function prepareEvent(event: TimelineEvent): PreparedEvent {
  try {
    const { kind, v, body } = event;
    const checked = decodeEvent({ kind, v, body });
    const text: string | undefined = JSON.stringify(body);
    if (text === undefined) throw storeError("bad_event", `The body of ${kind} cannot be stored as JSON.`, { kind });
    return { event: checked, body: text, blobs: encodeEvent(checked).blobs };
  } catch (error) {
    if (CairnError.is(error) && error.code !== "corrupt") throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw storeError("bad_event", `The event cannot be stored: ${reason}`, { kind: event?.kind });
  }
}

export function eventCrc(row: Omit<EventRow, "crc">): number {
  // The checksum is computed in pieces, to avoid copying a long body.
  return crc32(row.body, crc32(`${row.seq}\n${row.batch_end}\n${row.stored_at}\n${row.kind}\n${row.v}\n`));
}

export function readEventRow(row: EventRow): StoredEvent {
  return { seq: row.seq, stored_at: row.stored_at, event: decodeRow(row) };
}

export function decodeRow(row: EventRow): TimelineEvent {
  const { seq, kind, v } = row;
  // In a damaged record a column may have a different type than it was written with.
  if (typeof kind !== "string" || typeof row.body !== "string" || row.crc !== eventCrc(row))
    throw storeError(
      "corrupt",
      `Event ${seq} is damaged: its checksum does not match. Run cairn doctor to check the store.`,
      { seq },
    );
  return decodeEvent({ kind: fromColumn(kind), v, body: parseBody(row) });
}

function parseBody(row: EventRow): unknown {
  try {
    return JSON.parse(row.body);
  } catch {
    throw storeError(
      "corrupt",
      `Event ${row.seq} is damaged: its body is not JSON. Run cairn doctor to check the store.`,
      { seq: row.seq },
    );
  }
}
