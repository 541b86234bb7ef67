/**
 * A block as people may see it: whoever uses the app, an API client or a terminal. A block without anything internal is
 * given back as it is. Otherwise what is left is a block of the same type and call that says that something was there.
 *
 * This is the one place that decides. Every way out of the product goes through it; `public-event.ts` for events.
 */
import type { Block } from "../block/block.ts";
import { resultDigest } from "../block/digest.ts";
import { isJsonObject, type Json, type JsonObject, parseJsonObject } from "../json.ts";
import { isInternal, statedVisibility } from "./internal.ts";
import { publicParams } from "./public-params.ts";
import { mayBeInternal, withoutFoundNotes } from "./unstated-result.ts";

export function publicBlock(block: Block): Block {
  if (block.type === "react.tool.call") return publicCall(block);
  if (isInternal(block)) return withheld(block);
  return block.type === "react.tool.result" ? publicResult(block) : block;
}

/** Whether people may see all of a block. */
export function isPublic(block: Block): boolean {
  return publicBlock(block) === block;
}

/** The meta fields that a withheld block keeps: its place, and the turns that a summary covers. */
const KEPT_META = ["tool_call_id", "iteration", "covered_turn_ids", "split_turn_id"];

/** A name may tell as much as a text: of paths only those stay that are made of ids. */
function withheld(block: Block): Block {
  const { author, call_id, path, ts, turn_id, type } = block;
  const kept = KEPT_META.flatMap((field) => (block.meta?.[field] === undefined ? [] : [[field, block.meta[field]]]));
  const meta: JsonObject = { ...Object.fromEntries(kept), visibility: "internal" };
  const text = codeOf(block);
  return {
    type,
    ...(author === undefined ? {} : { author }),
    ...(turn_id === undefined ? {} : { turn_id }),
    ...(ts === undefined ? {} : { ts }),
    ...(call_id === undefined ? {} : { call_id }),
    ...(path === undefined || path.startsWith("fi:") ? {} : { path }),
    ...(text === null ? {} : { mime: "application/json", text }),
    meta,
  };
}

const WITHHELD = "It is about something internal.";

/** What went wrong is said by its code; the words may quote. */
function codeOf(block: Block): string | null {
  if (block.type === "react.notice") {
    const code = parseJsonObject(block.text)?.code;
    return JSON.stringify({ code: typeof code === "string" ? code : "", message: WITHHELD });
  }
  const error = block.type === "react.tool.result" ? resultDigest(block)?.error : undefined;
  return error === undefined ? null : JSON.stringify({ error: { code: error.code, message: WITHHELD } });
}

function publicCall(block: Block): Block {
  const json = parseJsonObject(block.text);
  if (json === null) return statedVisibility(block.meta) === "internal" ? withheld(block) : block;
  const { params = null, tool_id } = json;
  const shown = publicParams(tool_id, params, statedVisibility(block.meta));
  return shown === params ? block : { ...block, text: JSON.stringify({ ...json, params: shown }) };
}

function publicResult(block: Block): Block {
  const stated = statedVisibility(block.meta);
  if (stated === "external") return block;
  if (stated === null && mayBeInternal(block)) return withheld(block);
  const { text } = block;
  if (text === undefined || (stated === null && !/^\s*\{"(?:hits|files)"/.test(text))) return block;
  const json = parseJsonObject(text);
  const shown = stated === "mixed" ? withoutInternalItems(json) : json === null ? null : withoutFoundNotes(json);
  if (stated === "mixed" && shown === null) return withheld(block);
  return shown === null || JSON.stringify(shown) === JSON.stringify(json)
    ? block
    : { ...block, text: JSON.stringify(shown) };
}

/** Null for text that is not a JSON object. */
function withoutInternalItems(json: JsonObject | null): JsonObject | null {
  if (json === null) return null;
  const isShown = (item: Json) => !isJsonObject(item) || item.visibility !== "internal";
  return Object.fromEntries(
    Object.entries(json).map(([field, value]) => [field, Array.isArray(value) ? value.filter(isShown) : value]),
  );
}
