/** The blocks that show a decision's notes and calls to the model. */
import { type Block, extractCitations, type JsonObject } from "@cairn/timeline";
import { knownField, tellApart } from "../../react/cited-sources.ts";
import { isRef } from "../../tool/bind-refs.ts";
import { sourcesSeen } from "../../tool/sources-seen.ts";
import type { Tool } from "../../tool/tool.ts";
import { traitsField } from "../../tool/tool-traits.ts";
import type { TurnContext } from "../state/turn-context.ts";
import { type PlannedCall, timestamp, visibilityField } from "./planned-call.ts";

export function notesBlock(context: TurnContext, call: PlannedCall, text: string): Block {
  const path = `ar:${context.turnId}.react.notes.${call.callId}`;
  const seen = sourcesSeen(context.journal.timeline.state.pool, call.sourcesKnown);
  const cited = tellApart(extractCitations(text, "markdown"), seen);
  const meta = {
    tool_call_id: call.callId,
    iteration: call.iteration,
    channel: "timeline_text",
    ...knownField(cited, seen),
  };
  return { type: "react.notes", author: "react", turn_id: context.turnId, path, mime: "text/markdown", text, meta };
}

/** The code of a call, readable by its own path. */
export function codeBlocks(
  { registry, turnId }: TurnContext,
  { callId, iteration, params, toolId }: PlannedCall,
): Block[] {
  const { streams } = registry.find(toolId) ?? {};
  if (streams?.kind !== "code" || typeof params !== "object" || params === null) return [];
  const text = (params as Readonly<Record<string, unknown>>)[streams.param];
  if (typeof text !== "string" || text === "" || isRef(text)) return [];
  const path = `fi:${turnId}.code.${callId}`;
  const meta = { tool_call_id: callId, iteration };
  return [{ type: "react.tool.code", author: "react", turn_id: turnId, path, mime: "text/plain", text, meta }];
}

export function callBlock(context: TurnContext, call: PlannedCall): Block {
  const { turnId, registry } = context;
  const tool = registry.find(call.toolId);
  const params = tool?.shownParams?.(call.params, { turnId, callId: call.callId }) ?? call.params;
  const text = JSON.stringify({ tool_id: call.toolId, tool_call_id: call.callId, params, ts: timestamp(context) });
  const path = `tc:${turnId}.${call.callId}.call`;
  const meta = {
    tool_call_id: call.callId,
    iteration: call.iteration,
    ...visibilityField(call),
    ...traitsField(tool?.traits, call.params),
    ...cutField(tool?.cutParams?.(call.params, { turnId, callId: call.callId })),
    ...codeField(tool),
    ...call.reasoning,
  };
  return { type: "react.tool.call", author: "react", turn_id: turnId, path, mime: "application/json", text, meta };
}

/** Parameters that are too long for the call block, each with the path where its text is stored. */
function cutField(cut_params: Readonly<Record<string, string>> = {}): JsonObject {
  return Object.keys(cut_params).length === 0 ? {} : { cut_params };
}

/** The name of the parameter with the code, if it is not `code`. */
function codeField(tool: Pick<Tool, "streams"> | undefined): JsonObject {
  return tool?.streams?.kind === "code" && tool.streams.param !== "code" ? { code_param: tool.streams.param } : {};
}
