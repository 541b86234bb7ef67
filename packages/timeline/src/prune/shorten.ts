/**
 * Shortening values for a replacement: long strings, lists and objects are cut and marked as cut, more and more until
 * the whole fits. A `ref:` value is an address: it is never cut and never left out, wherever it is.
 */
import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import type { SessionSettings } from "./settings.ts";

interface ShortenLimits {
  readonly chars: number;
  readonly items: number;
  readonly keys: number;
}

/** The first characters of a text, at most `limit` with the mark that shows the cut, without half a character. */
export function shortenText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const mark = "...";
  const most = Math.max(0, limit - mark.length);
  const end = most > 0 && isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most;
  return `${text.slice(0, end)}${mark}`;
}

/** Fractions of the text that each step keeps. Each step cuts more than the one before. */
const STEPS = [1, 0.5, 0.2, 0.1, 0.05, 0.02];

/** The value as JSON of at most `most` characters, if that is possible without losing a reference. */
export function shortenToFit(value: Json, settings: SessionSettings, most: number): string {
  let shortened = "";
  for (const step of STEPS) {
    const limits = {
      chars: Math.max(8, Math.floor(settings.cache_truncation_max_field_chars * step)),
      items: Math.max(1, Math.floor(settings.cache_truncation_max_list_items * step)),
      keys: Math.max(1, Math.floor(settings.cache_truncation_max_dict_keys * step)),
    };
    shortened = JSON.stringify(shortenJson(value, limits));
    if (shortened.length <= most) break;
  }
  return shortened;
}

function shortenJson(value: Json | undefined, limits: ShortenLimits): Json {
  if (typeof value === "string") return isReference(value) ? value : shortenText(value, limits.chars);
  if (Array.isArray(value)) return shortenList(value, limits);
  return isJsonObject(value) ? shortenObject(value, limits) : (value ?? null);
}

function shortenList(list: readonly Json[], limits: ShortenLimits): Json[] {
  const kept = list.filter((item, index) => index < limits.items || holdsReference(item));
  const shortened = kept.map((item) => shortenJson(item, limits));
  return kept.length < list.length ? [...shortened, `... ${list.length - kept.length} more`] : shortened;
}

function shortenObject(object: JsonObject, limits: ShortenLimits): JsonObject {
  const entries = Object.entries(object);
  const kept = entries.filter(([, value], index) => index < limits.keys || holdsReference(value));
  const shortened: [string, Json][] = kept.map(([key, value]) => [
    shortenText(key, limits.chars),
    shortenJson(value, limits),
  ]);
  if (kept.length < entries.length) shortened.push(["...", `${entries.length - kept.length} more`]);
  return Object.fromEntries(shortened);
}

function isReference(value: Json | undefined): boolean {
  return typeof value === "string" && value.startsWith("ref:");
}

function holdsReference(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.some(holdsReference);
  return isJsonObject(value) ? Object.values(value).some(holdsReference) : isReference(value);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
