/** A block: one entry of a timeline, plain JSON. Its content never changes; an overlay may hide or shorten it. */
import { CairnError } from "../base/error.ts";
import { isJsonObject, isTooDeep, type JsonObject } from "../base/json.ts";

export interface Block {
  /** The block's type. Known types are in `kind/kinds.ts`; other blocks are stored and shown as plain text. */
  readonly type: string;
  readonly author?: string;
  readonly turn_id?: string;
  /** Time of the block, in ISO 8601 UTC. */
  readonly ts?: string;
  readonly mime?: string;
  readonly path?: string;
  readonly text?: string;
  readonly base64?: string;
  /** The call a block belongs to, in the oldest format. Current writers use `meta.tool_call_id`. */
  readonly call_id?: string;
  readonly meta?: JsonObject;
  /** Fields that this program does not know are kept. */
  readonly [field: string]: unknown;
}

export const BLOCK_STRING_FIELDS = ["author", "turn_id", "ts", "mime", "path", "text", "base64", "call_id"] as const;

/**
 * Validates a block that comes from outside. A null field counts as absent, because some writers write absent fields as
 * null. An error names the block by `where`, or by its element `index`. Every load validates every block, so this
 * function avoids work: it reads fields by name, not through a list of names, and checks depth only in blocks that
 * contain nested values.
 */
export function parseBlock(value: unknown, where = "block", index?: number): Block {
  const problem = isJsonObject(value) ? problemOf(value) : "it is not an object";
  if (problem !== null) throw badBlock(index === undefined ? where : `${where}[${index}]`, problem);
  const block = value as JsonObject;
  return (hasNullField(block) ? withoutNullFields(block) : block) as unknown as Block;
}

function problemOf(value: JsonObject): string | null {
  const { type, author, turn_id, ts, mime, path, text, base64, call_id, meta } = value;
  if (typeof type !== "string" || type === "") return "`type` must be a non-empty string";
  if (!isText(author)) return "`author` must be a string";
  if (!isText(turn_id)) return "`turn_id` must be a string";
  if (!isText(ts)) return "`ts` must be a string";
  if (!isText(mime)) return "`mime` must be a string";
  if (!isText(path)) return "`path` must be a string";
  if (!isText(text)) return "`text` must be a string";
  if (!isText(base64)) return "`base64` must be a string";
  if (!isText(call_id)) return "`call_id` must be a string";
  if (meta !== undefined && meta !== null && !isJsonObject(meta)) return "`meta` must be an object";
  return holdsNested(value) && isTooDeep(value) ? "it is nested too deeply" : null;
}

function isText(content: unknown): boolean {
  return typeof content === "string" || content === undefined || content === null;
}

/** Whether anything in the block but `meta`, or anything in `meta`, is a list or an object. */
function holdsNested(value: JsonObject): boolean {
  for (const field in value) {
    const content = value[field];
    if (typeof content !== "object" || content === null) continue;
    if (field !== "meta") return true;
    for (const key in content) if (typeof (content as JsonObject)[key] === "object") return true;
  }
  return false;
}

function hasNullField({ author, turn_id, ts, mime, path, text, base64, call_id, meta }: JsonObject): boolean {
  return (
    author === null ||
    turn_id === null ||
    ts === null ||
    mime === null ||
    path === null ||
    text === null ||
    base64 === null ||
    call_id === null ||
    meta === null
  );
}

function withoutNullFields(value: JsonObject): JsonObject {
  const known = new Set<string>([...BLOCK_STRING_FIELDS, "meta"]);
  return Object.fromEntries(Object.entries(value).filter(([key, content]) => content !== null || !known.has(key)));
}

function badBlock(where: string, problem: string): CairnError {
  return new CairnError("bad_block", `${where}: ${problem}. Send blocks as plain JSON objects.`, { where });
}
