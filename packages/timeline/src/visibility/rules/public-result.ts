/** The part of a result that people may see, if it is not internal as a whole. */
import { isJsonObject, type Json, type JsonObject, parseJsonObject } from "../../base/json.ts";
import type { Block } from "../../block/block.ts";
import { statedVisibility } from "./internal.ts";
import { mayBeInternal, withoutFoundNotes } from "./unstated-result.ts";

/** Whether a result is, or may be, internal as a whole although its block does not say so. */
export function isInternalResult(block: Block): boolean {
  const stated = statedVisibility(block.meta);
  if (stated === "mixed") return block.text !== undefined && parseJsonObject(block.text) === null;
  return stated === null && mayBeInternal(block);
}

/** `internalTypes`: types of blocks that a search of the past finds and people may not see. */
export function publicResult(block: Block, internalTypes: ReadonlySet<unknown>): Block {
  const stated = statedVisibility(block.meta);
  const { text } = block;
  if (stated === "external" || text === undefined) return block;
  if (stated === null && !/^\s*\{"(?:hits|files)"/.test(text)) return block;
  const json = parseJsonObject(text);
  if (json === null) return block;
  const shown = stated === "mixed" ? withoutInternalItems(json) : withoutFoundNotes(json, internalTypes);
  return shown === null || JSON.stringify(shown) === JSON.stringify(json)
    ? block
    : { ...block, text: JSON.stringify(shown) };
}

function withoutInternalItems(json: JsonObject): JsonObject {
  const isShown = (item: Json) => !isJsonObject(item) || item.visibility !== "internal";
  return Object.fromEntries(
    Object.entries(json).map(([field, value]) => [field, Array.isArray(value) ? value.filter(isShown) : value]),
  );
}
