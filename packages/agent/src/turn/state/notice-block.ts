/** Makes blocks with notices of the runtime to the model. */
import type { Block, Visibility } from "@cairn/timeline";
import { nextNumber } from "./taken-paths.ts";
import type { TurnContext } from "./turn-context.ts";

/** A notice that belongs to no call. */
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

interface NoticedCall {
  readonly callId: string;
  readonly iteration: number;
  readonly visibility?: Visibility | null;
}

/** A notice about a call, before its result. */
export function callNotice(
  { turnId }: Pick<TurnContext, "turnId">,
  { callId, iteration, visibility }: NoticedCall,
  code: string,
  message: string,
): Block {
  const path = `tc:${turnId}.${callId}.notice`;
  const stated = visibility === undefined || visibility === null ? {} : { visibility };
  const meta = { tool_call_id: callId, iteration, ...stated };
  const text = JSON.stringify({ code, message });
  return { type: "react.notice", author: "react", turn_id: turnId, path, mime: "application/json", text, meta };
}
