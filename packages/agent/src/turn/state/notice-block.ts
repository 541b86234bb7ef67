/** A notice of the runtime to the model that belongs to no call. */
import type { Block } from "@cairn/timeline";
import { nextNumber } from "./taken-paths.ts";
import type { TurnContext } from "./turn-context.ts";

export function noticeBlock(
  { journal, turnId }: Pick<TurnContext, "journal" | "turnId">,
  code: string,
  message: string,
): Block {
  const prefix = `ar:${turnId}.react.notice`;
  const path = `${prefix}.${nextNumber(journal.timeline.state, turnId, prefix)}`;
  const text = JSON.stringify({ code, message });
  return { type: "react.notice", author: "system", turn_id: turnId, path, mime: "application/json", text };
}
