/** Describes a call as a part of a run. */
import type { Json, RoundView, TurnView } from "@cairn/timeline";
import type { ToolPart } from "./run-part.ts";

/** `notices`: the notices of the call's turn. */
export function roundPart(
  { call_id: id, tool_id: name, params: input, status, outcome, error, results }: RoundView,
  notices: TurnView["notices"],
): ToolPart {
  const common = { type: "tool" as const, id, name, input, changedBy: changedBy(id, notices) };
  if (status === "running" || status === "waiting_approval")
    return { ...common, status: "running", output: null, error: null };
  const output = roundOutput(results);
  if (outcome?.kind === "refused")
    return {
      ...common,
      status: "refused",
      output: null,
      error: error ?? { code: "refused", message: outcome.reason ?? "" },
    };
  if (outcome?.kind !== "failed" && status === "ok") return { ...common, status: "done", output, error: null };
  const why = error ?? {
    code: status === "interrupted" ? "tool_interrupted" : "tool_failed",
    message: outcome?.reason ?? "",
  };
  return { ...common, status: "failed", output, error: why };
}

const CHANGED_BY = new Map<string, "approver" | "application">([
  ["approval_edited", "approver"],
  ["hook_changed_params", "application"],
]);

/** If both changed the input, the approver is named, because the approver decides after the hooks. */
function changedBy(call: string, notices: TurnView["notices"]): ToolPart["changedBy"] {
  const told = notices.findLast(({ call_id, code }) => call_id === call && CHANGED_BY.has(code));
  return CHANGED_BY.get(told?.code ?? "") ?? null;
}

/** The output of a call: complete JSON is parsed, and several results become a list. */
export function roundOutput(results: RoundView["results"]): Json {
  const read = results.map(({ text, mime, cut }): Json => {
    if (mime !== "application/json" || cut) return text;
    try {
      return JSON.parse(text);
    } catch {
      return text; // A tool may state the type JSON for a result that is not JSON.
    }
  });
  return read.length > 1 ? read : (read[0] ?? null);
}
