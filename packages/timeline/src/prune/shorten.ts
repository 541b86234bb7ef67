/**
 * Shortening values for a replacement: long strings, lists and objects are cut and say so. A `ref:` value is an
 * address and is never cut. The depth is bounded, so that hostile nesting costs nothing.
 */
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import type { SessionSettings } from "./settings.ts";

const MAX_DEPTH = 8;

/** The first `limit` characters and a mark, or the text itself when it is short enough. Never splits a character. */
export function shortenText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = isHighSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit;
  return `${text.slice(0, end)}...`;
}

export function shortenJson(value: Json | undefined, limits: SessionSettings, depth = 0): Json {
  if (typeof value === "string")
    return value.startsWith("ref:") ? value : shortenText(value, limits.cache_truncation_max_field_chars);
  if (Array.isArray(value)) return depth < MAX_DEPTH ? shortenList(value, limits, depth) : "...";
  if (isJsonObject(value)) return depth < MAX_DEPTH ? shortenObject(value, limits, depth) : "...";
  return value ?? null;
}

function shortenList(list: readonly Json[], limits: SessionSettings, depth: number): Json[] {
  const most = limits.cache_truncation_max_list_items;
  const kept = list.slice(0, most).map((item) => shortenJson(item, limits, depth + 1));
  return list.length > most ? [...kept, `... ${list.length - most} more`] : kept;
}

function shortenObject(object: JsonObject, limits: SessionSettings, depth: number): JsonObject {
  const entries = Object.entries(object);
  const most = limits.cache_truncation_max_dict_keys;
  const kept = entries.slice(0, most).map(([key, value]) => [key, shortenJson(value, limits, depth + 1)] as const);
  const rest: [string, Json][] = entries.length > most ? [["...", `${entries.length - most} more`]] : [];
  return Object.fromEntries([...kept, ...rest]);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
