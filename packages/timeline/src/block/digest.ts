/**
 * A digest: the safe description of an artifact that a tool result or an attachment carries as JSON.
 *
 * It is safe because it is picked field by field: whatever else the JSON holds (hosting addresses, keys, bytes) is
 * left behind and can reach neither the model nor a summary.
 */
import { isJsonObject, type JsonObject, parseJsonObject } from "../json.ts";
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

export interface DigestError {
  readonly code: string;
  readonly message: string;
}

const TEXT_FIELDS = [
  "artifact_path",
  "physical_path",
  "tool_id",
  "tool_call_id",
  "mime",
  "kind",
  "visibility",
  "channel",
  "filename",
  "summary",
  "write_warning",
] as const;

/** Fields of a result that say nothing but how the call went; with any other field the JSON is the tool's output. */
const BARE_ERROR_FIELDS = new Set(["tool_id", "tool_call_id", "ok", "error", "ts"]);

/** Longer JSON that mentions an error is a tool's output: parsing it to find out would cost what it weighs. */
const LONGEST_ERROR = 65_536;

/** Fields of a digest that hold more than a word or a number. A list or object anywhere else is a tool's output. */
const STRUCTURED_FIELDS = new Set(["sources_used", "error"]);

/**
 * The digest that a `react.tool.result` block at a `tc:` path spells: JSON with an `artifact_path`, or JSON that
 * reports an error and nothing else. Null when the block is content.
 */
export function resultDigest(block: Block): Digest | null {
  const { text, path } = block;
  if (text === undefined || (path !== undefined && !path.startsWith("tc:"))) return null;
  const mayReport = text.length <= LONGEST_ERROR && text.includes('"error"');
  if (!mayReport && !text.includes('"artifact_path"')) return null;
  const json = parseJsonObject(text);
  if (json === null) return null;
  if (describesArtifact(json)) return pickDigest(json);
  return errorOf(json) !== null && Object.keys(json).every((key) => BARE_ERROR_FIELDS.has(key))
    ? pickDigest(json)
    : null;
}

function describesArtifact(json: JsonObject): boolean {
  if (typeof json.artifact_path !== "string" || !/^(?:fi|ar|tc|so|su|sk):/.test(json.artifact_path)) return false;
  return Object.entries(json).every(
    ([field, value]) => typeof value !== "object" || value === null || STRUCTURED_FIELDS.has(field),
  );
}

/** The digest of an attachment's meta block: its text, or `meta` where an older writer put the fields there. */
export function attachmentDigest(block: Block): Digest {
  return pickDigest({ ...block.meta, ...storedDigest(block), ...parseJsonObject(block.text) });
}

/** The digest a file block keeps in `meta.digest`, as an object or as JSON text; empty when there is none. */
export function fileDigest(block: Block): Digest {
  return pickDigest({ ...block.meta, ...storedDigest(block) });
}

function storedDigest(block: Block): JsonObject {
  const digest = block.meta?.digest;
  if (isJsonObject(digest)) return digest;
  return (typeof digest === "string" ? parseJsonObject(digest) : null) ?? {};
}

function pickDigest(json: JsonObject): Digest {
  const digest: Record<string, unknown> = {};
  for (const field of TEXT_FIELDS) {
    const value = json[field];
    if (typeof value === "string" && value !== "") digest[field] = value;
  }
  if (isCount(json.size_bytes)) digest.size_bytes = json.size_bytes;
  if (isCount(json.tokens)) digest.tokens = json.tokens;
  const sources = sourceIds(json.sources_used);
  if (sources.length > 0) digest.sources_used = sources;
  if (json.edited === true) digest.edited = true;
  const error = errorOf(json);
  if (error !== null) digest.error = error;
  return digest;
}

/** A list of SIDs read from JSON: whole positive numbers, everything else left out. */
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

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
