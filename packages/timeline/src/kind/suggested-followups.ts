/** `stage.suggested_followups`: questions that the user may ask next. */
import { isJsonObject, parseJson } from "../base/json.ts";
import type { Block } from "../block/block.ts";
import { defineKind } from "./block-kind.ts";

export const suggestedFollowups = defineKind({
  type: "stage.suggested_followups",
  group: () => "completion",
  addToTurn: (turn, { block }) => ({ ...turn, followups: followupsOf(block) }),
  followups: followupsOf,
});

/** Reads a JSON list, an object that contains a list, or lines of text. */
function followupsOf({ text = "" }: Block): readonly string[] {
  const json = parseJson(text);
  const list = isJsonObject(json) ? (json.followups ?? json.suggested_followups ?? json.items) : json;
  const items = Array.isArray(list)
    ? list
    : text.split(/\r?\n/).map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, ""));
  return items
    .filter((item): item is string => typeof item === "string")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
