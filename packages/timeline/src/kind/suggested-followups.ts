/** `stage.suggested_followups`: questions that the user may ask next. */

import { parseJsonObject } from "../base/json.ts";
import type { Block } from "../block/block.ts";
import { defineKind } from "./block-kind.ts";
import { readFollowups } from "./followups.ts";

export const suggestedFollowups = defineKind({
  type: "stage.suggested_followups",
  group: () => "completion",
  addToTurn: (turn, { block }) => ({ ...turn, followups: followupsOf(block) }),
  followups: followupsOf,
});

function followupsOf({ text }: Block): readonly string[] {
  return readFollowups(parseJsonObject(text), text);
}
