/**
 * The export file: one conversation with its blobs, as lines of JSON in UTF-8. docs/store.md describes it for readers
 * in any language.
 *
 *   {"cairn_export":1,"created_at":…,"last_activity_at":…,"forked_from":null,"attributes":{…},
 *    "blobs":m,"events":n,"artifacts":k}      (one line)
 *   {"blob":"sha256:…","size":s}            m times, each followed by its bytes:
 *   {"bytes":"<base64>"}                    ceil(s / 49152) lines of 49,152 bytes, the last one shorter
 *   {"seq":1,"batch_end":3,"stored_at":…,"kind":"…","v":1,"body":{…}}      n times, seq 1 to n
 *   {"artifact":1,"kind":"…","turn_id":null,"ts":"…","content_str":"…","payload":…}      k times
 *   {"sha256":"<hex>"}                      of all bytes before this line
 *
 * It contains neither its scope nor its own id, so the same conversation gives the same bytes in every store.
 */
import { isJsonObject, type JsonObject } from "@cairn/timeline";
import { storeError } from "../contract/errors.ts";
import type { ForkOrigin } from "../contract/records.ts";
import { MAX_SCOPE_PART_LENGTH } from "../contract/scope.ts";

export const EXPORT_VERSION = 1;

/** Bytes per line: a multiple of three, so that only the last line of a blob has padding. */
export const BYTES_PER_LINE = 49_152;

export interface ExportHeader {
  readonly cairn_export: number;
  readonly created_at: number;
  readonly last_activity_at: number;
  readonly forked_from: ForkOrigin | null;
  readonly attributes: JsonObject;
  readonly blobs: number;
  readonly events: number;
  readonly artifacts: number;
}

export type Fields = Readonly<Record<string, unknown>>;

export function readHeader(line: Fields): ExportHeader {
  const version = line.cairn_export;
  if (!isCount(version)) throw badFile("its first line is not the header of an export");
  if (version > EXPORT_VERSION)
    throw storeError(
      "newer_version",
      `The file has format ${version}; this program reads up to ${EXPORT_VERSION}. Upgrade the program.`,
      { version },
    );
  const { created_at, last_activity_at, attributes, blobs, events, artifacts } = line;
  const areCounts = isCount(blobs) && isCount(events) && isCount(artifacts);
  if (!areCounts || !isTime(created_at) || !isTime(last_activity_at) || !isJsonObject(attributes))
    throw badFile("its header is incomplete");
  const forked_from = readOrigin(line.forked_from);
  return { cairn_export: version, created_at, last_activity_at, forked_from, attributes, blobs, events, artifacts };
}

function readOrigin(value: unknown): ForkOrigin | null {
  if (value === null) return null;
  if (!isJsonObject(value) || !isName(value.conversation) || !isCount(value.seq) || !isNameOrAbsent(value.root))
    throw badFile("its header does not say which conversation it was forked from");
  const { conversation, seq, root } = value;
  return { conversation, seq, ...(root === undefined ? {} : { root }) };
}

function isNameOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || isName(value);
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value.isWellFormed() && Buffer.byteLength(value) <= MAX_SCOPE_PART_LENGTH;
}

export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** The end of the year 9999, the last time that a four-digit year can express. */
const LAST_TIME = 253_402_300_799_999;

/** Whether a value is epoch milliseconds within four-digit years. */
export function isTime(value: unknown): value is number {
  return isCount(value) && value <= LAST_TIME;
}

/** Whether an event or its block names a time outside the years 0 to 9999, which would sort before all others. */
export function namesFarTime(body: unknown): boolean {
  if (!isJsonObject(body)) return false;
  const times = [body.ts, isJsonObject(body.block) ? body.block.ts : undefined];
  return times.some((ts) => typeof ts === "string" && /^[+-]\d/.test(ts));
}

export function badFile(problem: string, details: Readonly<Record<string, unknown>> = {}) {
  return storeError("corrupt", `The export file cannot be imported: ${problem}.`, details);
}
