/** `react.notice`: a remark of the runtime to the agent about a call or a decision. */
import { parseJsonObject, textIn } from "../base/json.ts";
import type { Block } from "../block/block.ts";
import { callIdIn } from "../block/call.ts";
import { hideHosting, withoutHosting } from "../block/hosting.ts";
import { inline } from "../message/inline.ts";
import { paragraph } from "../message/paragraph.ts";
import { failureInNotice, graver } from "../view/turn/round-outcome.ts";
import { findRound, updateRound } from "../view/turn/view-round.ts";
import { WITHHELD } from "../visibility/rules/internal.ts";
import { defineKind, type PlacedBlock } from "./block-kind.ts";

export const reactNotice = defineKind({
  type: "react.notice",
  role: "notice",
  header: "[NOTICE]",
  content: () => null,
  view: (placed, _, rules) => paragraph(`[NOTICE] ${rules.continuation(noticeText(placed))}`),
  addToTurn: (turn, { block, position }) => {
    const notice = parseJsonObject(block.text);
    const code = textIn(notice, "code");
    const message = notice === null ? (block.text ?? "") : textIn(notice, "message");
    const call_id = callIdIn(block, true);
    const noticed = { ...turn, notices: [...turn.notices, { code, message, call_id, position }] };
    const failure = failureInNotice(code, message);
    if (failure === null || call_id === null) return noticed;
    return updateRound(noticed, call_id, { outcome: graver(findRound(noticed, call_id)?.outcome ?? null, failure) });
  },
  withheldText: ({ text }: Block) => JSON.stringify({ code: textIn(parseJsonObject(text), "code"), message: WITHHELD }),
  namesCall: true,
});

function noticeText({ json, block }: PlacedBlock): string {
  const code = json?.code ?? block.meta?.code;
  const message = json === null ? (block.text ?? "") : json.message;
  if (typeof code !== "string") return hideHosting(block.text ?? "");
  if (typeof message === "string") return `${inline(code)}: ${message}`;
  const { code: _, ...rest } = json ?? {};
  return Object.keys(rest).length === 0 ? inline(code) : `${inline(code)}: ${JSON.stringify(withoutHosting(rest))}`;
}
