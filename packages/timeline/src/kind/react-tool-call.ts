/** `react.tool.call`: a call of a tool, with its parameters. */
import { parseJsonObject, textIn } from "../base/json.ts";
import type { Block } from "../block/block.ts";
import { callIdIn } from "../block/call.ts";
import type { EscapeRules } from "../message/escape-rules.ts";
import { inline } from "../message/inline.ts";
import { paragraph } from "../message/paragraph.ts";
import { beginRound, updateRound } from "../view/turn/view-round.ts";
import { statedVisibility } from "../visibility/rules/internal.ts";
import { publicParams } from "../visibility/rules/public-params.ts";
import { defineKind, type PlacedBlock } from "./block-kind.ts";

export const reactToolCall = defineKind({
  type: "react.tool.call",
  role: "call",
  header: "[TOOL CALL ",
  content: () => null,
  view: (placed, _, rules) => paragraph(viewCall(placed, rules)),
  isOfDecision: true,
  addToTurn: (turn, { block }) => {
    const call_id = callIdIn(block, true);
    if (call_id === null) return turn;
    const json = parseJsonObject(block.text);
    const params = json?.params ?? null;
    const { meta } = block;
    return updateRound(beginRound(turn, { call_id, tool_id: textIn(json, "tool_id"), params, meta }), call_id, {
      params,
    });
  },
  isInternal: ({ meta, text }) => statedVisibility(meta) === "internal" && parseJsonObject(text) === null,
  publicPart: publicCall,
  namesCall: true,
  pruning: "json",
  addToDigest: (placed, _, digest) => digest.addCall(placed),
});

function viewCall({ block, callId, json, path }: PlacedBlock, rules: EscapeRules): string {
  const tool = typeof json?.tool_id === "string" ? ` ${inline(json.tool_id)}` : "";
  const pathLine = path === null ? "" : `\n${inline(path)}`;
  const params = rules.payload(json === null ? (block.text ?? "") : JSON.stringify(json.params ?? {}));
  return `[TOOL CALL ${inline(callId ?? "")}].call${tool}${pathLine}\nParams:\n${params}`;
}

function publicCall(block: Block): Block {
  const json = parseJsonObject(block.text);
  if (json === null) return block;
  const { params = null, tool_id } = json;
  const shown = publicParams(tool_id, params, statedVisibility(block.meta));
  return shown === params ? block : { ...block, text: JSON.stringify({ ...json, params: shown }) };
}
