/**
 * One event in the framing of AWS event streams: lengths, headers, payload, and a checksum of each part
 * (https://docs.aws.amazon.com/transcribe/latest/dg/event-stream.html, 2026-11-17).
 */
import { crc32 } from "node:zlib";
import type { WireEvent } from "../http/wire-event.ts";

/** The type of a header whose value is a text. */
const STRING = 7;
const PRELUDE = 8;
const CRC = 4;

export function eventFrame({ event = "", data }: WireEvent): Buffer {
  const kind = event.endsWith("Exception") ? "exception" : "event";
  const headers = Buffer.concat([
    header(`:${kind}-type`, event),
    header(":content-type", "application/json"),
    header(":message-type", kind),
  ]);
  const payload = Buffer.from(data);
  const frame = Buffer.alloc(PRELUDE + CRC + headers.length + payload.length + CRC);
  frame.writeUInt32BE(frame.length, 0);
  frame.writeUInt32BE(headers.length, 4);
  frame.writeUInt32BE(crc32(frame.subarray(0, PRELUDE)), PRELUDE);
  headers.copy(frame, PRELUDE + CRC);
  payload.copy(frame, PRELUDE + CRC + headers.length);
  frame.writeUInt32BE(crc32(frame.subarray(0, frame.length - CRC)), frame.length - CRC);
  return frame;
}

function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name),
    Buffer.from([STRING]),
    length,
    Buffer.from(value),
  ]);
}
