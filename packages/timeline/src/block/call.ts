/**
 * Finds the tool call that a block belongs to. First match wins: `meta.tool_call_id`, the older top-level `call_id`,
 * the call part of a `tc:`, notes or code path, and last the `tool_call_id` inside the JSON of a tool block.
 */
import { parseJsonObject } from "../base/json.ts";
import { callOfPath } from "../path/owner.ts";
import type { Block } from "./block.ts";

/** `mayBeInText`: whether the block is of a kind whose JSON names its call. */
export function callIdIn(block: Block, mayBeInText: boolean): string | null {
  const fromMeta = block.meta?.tool_call_id;
  if (typeof fromMeta === "string" && fromMeta !== "") return fromMeta;
  if (block.call_id) return block.call_id;
  const fromPath = block.path === undefined ? null : callOfPath(block.path);
  if (fromPath !== null) return fromPath;
  return mayBeInText ? callIdInJson(block.text) : null;
}

function callIdInJson(text: string | undefined): string | null {
  if (text === undefined || !text.includes('"tool_call_id"')) return null;
  const id = parseJsonObject(text)?.tool_call_id;
  return typeof id === "string" && id !== "" ? id : null;
}

/** The number of the decision that a block came from; all blocks of the decision have the same number. */
export function iterationOf(block: Block): number | string | null {
  const iteration = block.meta?.iteration;
  return typeof iteration === "number" || typeof iteration === "string" ? iteration : null;
}
