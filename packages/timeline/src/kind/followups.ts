/** Suggested follow-up questions of a block. */
import { isJsonObject, parseJson } from "../base/json.ts";

/** Accepts a JSON list, an object that contains one, or lines of text. */
export function readFollowups(json: unknown, text = ""): string[] {
  const list = isJsonObject(json) ? (json.followups ?? json.suggested_followups ?? json.items) : parseJson(text);
  const items = Array.isArray(list)
    ? list
    : text.split(/\r?\n/).map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, ""));
  return items
    .filter((item): item is string => typeof item === "string")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
