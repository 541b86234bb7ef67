/**
 * A digest: the safe description of an artifact that a tool result or an attachment carries as JSON.
 *
 * A digest is safe because it is picked field by field: everything else in the JSON (hosting addresses, keys, bytes) is
 * dropped and can reach neither the model nor a summary.
 */
import { isJsonObject, type JsonObject, parseJsonObject } from "../base/json.ts";
import { callOfPath } from "../path/owner.ts";
import { canonicalPath } from "../path/resolve.ts";
import type { Block } from "./block.ts";

export interface Digest {
  readonly artifact_path?: string;
  readonly physical_path?: string;
  readonly tool_id?: string;
  readonly tool_call_id?: string;
  readonly mime?: string;
  readonly kind?: string;
  readonly visibility?: string;
  readonly channel?: string;
  readonly filename?: string;
  readonly summary?: string;
  readonly write_warning?: string;
  readonly size_bytes?: number;
  readonly tokens?: number;
  readonly sources_used?: readonly number[];
  readonly edited?: boolean;
  readonly error?: DigestError;
}

interface DigestError {
  readonly code: string;
  readonly message: string;
}

/** Fields that only report how a call ended. JSON with any other field is output of the tool. */
const BARE_ERROR_FIELDS = new Set(["tool_id", "tool_call_id", "ok", "error", "ts"]);

/** Longer JSON that mentions an error is treated as a tool's output: parsing it to find out would cost too much. */
const MAX_ERROR_LENGTH = 65_536;

/** The only fields of a digest with a list or an object. JSON with another list or object is output of the tool. */
const STRUCTURED_FIELDS = new Set(["sources_used", "sources_unknown", "error"]);

/**
 * The digest in a `react.tool.result` block at a `tc:` path: JSON with an `artifact_path`, or JSON that only reports an
 * error. Null when the block is content. A result of another call that is read again is content too, because its digest
 * belongs to the other call.
 */
export function resultDigest(block: Block): Digest | null {
  return isReadBack(block) ? null : spelledDigest(block);
}

/** Whether the block shows the result of another call than its own. */
function isReadBack(block: Block): boolean {
  const own = block.meta?.tool_call_id;
  if (typeof own !== "string" || own === "" || block.path?.startsWith("tc:") !== true) return false;
  const call = callOfPath(block.path);
  return call !== null && call !== own;
}

/** The digest according to the text of the block alone, which rendering rules before version 4 use. */
export function spelledDigest(block: Block): Digest | null {
  const { text, path } = block;
  if (text === undefined || (path !== undefined && !path.startsWith("tc:")) || !/^\s*\{/.test(text)) return null;
  const mayReport = text.length <= MAX_ERROR_LENGTH && text.includes('"error"');
  if (!mayReport && !text.includes('"artifact_path"')) return null;
  const json = parseJsonObject(text);
  if (json === null) return null;
  if (describesArtifact(json)) return pickDigest(json);
  return errorOf(json) !== null && Object.keys(json).every((key) => BARE_ERROR_FIELDS.has(key))
    ? pickDigest(json)
    : null;
}

function describesArtifact(json: JsonObject): boolean {
  if (typeof json.artifact_path !== "string" || canonicalPath(json.artifact_path) === null) return false;
  for (const field in json)
    if (typeof json[field] === "object" && json[field] !== null && !STRUCTURED_FIELDS.has(field)) return false;
  return true;
}

/** The digest of an attachment's meta block: its text, or `meta`, where older programs put the fields. */
export function attachmentDigest(block: Block): Digest {
  return pickDigest({ ...block.meta, ...storedDigest(block), ...parseJsonObject(block.text) });
}

/** The digest a file block keeps in `meta.digest`, as an object or as JSON text; empty when there is none. */
export function fileDigest(block: Block): Digest {
  return pickDigest({ ...block.meta, ...storedDigest(block) });
}

export function physicalPath(block: Block): string | undefined {
  const { physical_path: path = block.meta?.physical_path } = storedDigest(block);
  return isText(path) ? path : undefined;
}

function storedDigest(block: Block): JsonObject {
  const digest = block.meta?.digest;
  if (isJsonObject(digest)) return digest;
  return (typeof digest === "string" ? parseJsonObject(digest) : null) ?? {};
}

function pickDigest(json: JsonObject): Digest {
  const digest: { -readonly [K in keyof Digest]: Digest[K] } = {};
  if (isText(json.artifact_path)) digest.artifact_path = json.artifact_path;
  if (isText(json.physical_path)) digest.physical_path = json.physical_path;
  if (isText(json.tool_id)) digest.tool_id = json.tool_id;
  if (isText(json.tool_call_id)) digest.tool_call_id = json.tool_call_id;
  if (isText(json.mime)) digest.mime = json.mime;
  if (isText(json.kind)) digest.kind = json.kind;
  if (isText(json.visibility)) digest.visibility = json.visibility;
  if (isText(json.channel)) digest.channel = json.channel;
  if (isText(json.filename)) digest.filename = json.filename;
  if (isText(json.summary)) digest.summary = json.summary;
  if (isText(json.write_warning)) digest.write_warning = json.write_warning;
  if (isCount(json.size_bytes)) digest.size_bytes = json.size_bytes;
  if (isCount(json.tokens)) digest.tokens = json.tokens;
  const sources = sourceIds(json.sources_used);
  if (sources.length > 0) digest.sources_used = sources;
  if (json.edited === true) digest.edited = true;
  const error = errorOf(json);
  if (error !== null) digest.error = error;
  return digest;
}

/** Reads a list of SIDs from JSON. Values that are not positive whole numbers are dropped. */
export function sourceIds(value: unknown): number[] {
  if (!Array.isArray(value)) return [];
  return value.filter((sid): sid is number => Number.isSafeInteger(sid) && sid > 0);
}

function errorOf(json: JsonObject): DigestError | null {
  const error = json.error;
  if (typeof error === "string" && error !== "") return { code: "tool_error", message: error };
  if (!isJsonObject(error)) return null;
  const code = typeof error.code === "string" && error.code !== "" ? error.code : "tool_error";
  return { code, message: typeof error.message === "string" ? error.message : "" };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
