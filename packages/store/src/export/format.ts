/**
 * The export file: one conversation with its blobs, as lines of JSON in UTF-8. docs/store.md describes the format for
 * readers in any programming language.
 *
 *   {"cairn_export":1,"created_at":…,"last_activity_at":…,"forked_from":null,"attributes":{…},
 *    "blobs":m,"events":n,"artifacts":k}      (one line)
 *   {"blob":"sha256:…","size":s}            m times, each followed by its bytes:
 *   {"bytes":"<base64>"}                    ceil(s / 49152) lines of 49,152 bytes, the last one shorter
 *   {"seq":1,"batch_end":3,"stored_at":…,"kind":"…","v":1,"body":{…}}      n times, seq 1 to n
 *   {"artifact":1,"kind":"…","turn_id":null,"ts":"…","content_str":"…","payload":…}      k times
 *   {"sha256":"<hex>"}                      of all bytes before this line
 *
 * The file contains neither the scope nor the id of the conversation, so the same conversation gives the same bytes in
 * every store.
 *
 * The file of a conversation with branches has version 2. This file begins with a line for the tree; then every
 * conversation follows as above, the first one first, with its own events only. The header of each conversation begins
 * with the place of the conversation in the tree:
 *
 *   {"cairn_export":2,"conversations":t,"asked":a,"shown":s}      indexes of the exported and of the listed one
 *   {"conversation":"<id>","parent":p,"cut":c,"created_at":…}     t times, with `parent` and `cut` for a branch only
 *
 * The id is null for a deleted conversation whose events a branch needs.
 */
import { isJsonObject, type JsonObject } from "@cairn/timeline";
import { storeError } from "../contract/errors.ts";
import type { ForkOrigin } from "../contract/records.ts";
import { MAX_SCOPE_PART_LENGTH } from "../contract/scope.ts";

export const EXPORT_VERSION = 2;

/** Bytes per line: a multiple of three, so that only the last line of a blob has padding. */
export const BYTES_PER_LINE = 49_152;

/** The first line of an export that contains several conversations of a tree. */
export interface TreeHeader {
  readonly conversations: number;
  readonly asked: number;
  readonly shown: number;
}

/** The place of a conversation in its tree. */
export interface ExportPlace {
  /** Id of the conversation; null for a deleted one whose events branches need. */
  readonly conversation: string | null;
  /** Index of an earlier conversation in the file; null for the first. */
  readonly parent: number | null;
  readonly cut: number;
}

export interface ExportHeader {
  readonly created_at: number;
  readonly last_activity_at: number;
  readonly forked_from: ForkOrigin | null;
  readonly attributes: JsonObject;
  readonly blobs: number;
  readonly events: number;
  readonly artifacts: number;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The header of a tree; null for a file of one conversation, whose first line is its header. */
export function readTreeHeader(line: Fields, maxConversations = MAX_CONVERSATIONS): TreeHeader | null {
  const version = line.cairn_export;
  if (!isCount(version)) throw badFile("its first line is not the header of an export");
  if (version > EXPORT_VERSION)
    throw storeError(
      "newer_version",
      `The file has format ${version}; this program reads up to ${EXPORT_VERSION}. Upgrade the program.`,
      { version },
    );
  if (version < 2) return null;
  const { conversations, asked, shown } = line;
  const areCounts = isCount(conversations) && isCount(asked) && isCount(shown);
  if (!areCounts || asked >= conversations || shown >= conversations || conversations > MAX_CONVERSATIONS)
    throw badFile("its header is incomplete");
  if (conversations > maxConversations)
    throw storeError(
      "too_large",
      `The export file has ${conversations} conversations; at most ${maxConversations} are accepted here. ` +
        `\`cairn import\` accepts ${MAX_CONVERSATIONS}.`,
      { conversations, limit: maxConversations },
    );
  return { conversations, asked, shown };
}

/** Maximum conversations in a file. A file with more does not come from a person's conversation. */
const MAX_CONVERSATIONS = 100_000;

export function readPlace(line: Fields, index: number): ExportPlace {
  const { conversation, parent = null, cut = 0 } = line;
  const isBranch = isCount(parent) && parent < index;
  if ((conversation !== null && !isName(conversation)) || !isCount(cut) || (index === 0 ? parent !== null : !isBranch))
    throw badFile("the place of a conversation in the tree is not valid");
  return { conversation, parent: isBranch ? parent : null, cut };
}

export function readHeader(line: Fields): ExportHeader {
  const { created_at, last_activity_at, attributes, blobs, events, artifacts } = line;
  const areCounts = isCount(blobs) && isCount(events) && isCount(artifacts);
  if (!areCounts || !isTime(created_at) || !isTime(last_activity_at) || !isJsonObject(attributes))
    throw badFile("its header is incomplete");
  const forked_from = readOrigin(line.forked_from);
  return { created_at, last_activity_at, forked_from, attributes, blobs, events, artifacts };
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

/** Whether a value is a time in epoch milliseconds in the years 0 to 9999. */
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
