/** Results of calls in old journals, which record no visibility: everything that may be internal is left out. */
import { isJsonObject, type Json, type JsonObject, parseJsonObject } from "../../base/json.ts";
import type { Block } from "../../block/block.ts";
import { callIdIn } from "../../block/call.ts";
import { callOfPath } from "../../path/owner.ts";
import { MAY_QUOTE_INTERNAL, quotesFile } from "../../tool/named-tools.ts";

/** Whether a result may be internal as a whole: the diff of a patch, its failure, or either of them read again. */
export function mayBeInternal(block: Block): boolean {
  const { mime, path, text = "" } = block;
  if (path?.startsWith("tc:") !== true) return false;
  if (mime === "text/x-diff") return true;
  if (callOfPath(path) === callIdIn(block, true)) return isFailedPatch(text);
  return block.meta?.lines !== undefined || MAY_QUOTE_INTERNAL.test(text);
}

/** Maximum length of a text that is read as an error report. */
const MAX_FAILURE_LENGTH = 65_536;

function isFailedPatch(text: string): boolean {
  if (text.length > MAX_FAILURE_LENGTH || !text.includes('"tool_id"')) return false;
  const json = parseJsonObject(text);
  return quotesFile(json?.tool_id) && json?.error !== undefined;
}

/** The findings of searches, without blocks of internal types and lines of files; null for any other JSON. */
export function withoutFoundNotes(json: JsonObject, internalTypes: ReadonlySet<unknown>): JsonObject | null {
  const { files, hits } = json;
  if (Array.isArray(hits) && hits.length > 0 && hits.every((hit) => hasFields(hit, ["excerpt", "type", "turn_id"])))
    return { ...json, hits: hits.filter((hit) => !internalTypes.has(isJsonObject(hit) ? hit.type : null)) };
  if (Array.isArray(files) && files.length > 0 && files.every((file) => hasFields(file, ["path", "physical_path"])))
    return { ...json, files: files.map(withoutLines) };
  return null;
}

function withoutLines(file: Json): Json {
  if (!isJsonObject(file)) return file;
  const { matches: _, ...rest } = file;
  return rest;
}

function hasFields(value: Json, fields: readonly string[]): boolean {
  return isJsonObject(value) && fields.every((field) => Object.hasOwn(value, field));
}
