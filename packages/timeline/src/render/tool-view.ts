/**
 * How tool calls and their results look to the model.
 *
 * A result has one of three forms: a digest, shown as a `.summary` with a status and the artifact; the content of a
 * file, shown as an `.artifact`; anything else, shown as a `.result` at its logical path. Each block is shown
 * separately: grouping the digests of a call would rewrite an earlier message block when a later one arrives.
 */
import { type Digest, physicalPath } from "../block/digest.ts";
import { canonicalPath } from "../path/resolve.ts";
import type { Entry } from "../state/entry.ts";
import { isShowable } from "./binary-view.ts";
import { type EscapeRules, inline } from "./escape.ts";

export function viewToolCall(entry: Entry, rules: EscapeRules): string {
  const { block, callId, json } = entry;
  const tool = typeof json?.tool_id === "string" ? ` ${inline(json.tool_id)}` : "";
  const path = entry.path === null ? "" : `\n${inline(entry.path)}`;
  const params = rules.payload(json === null ? (block.text ?? "") : JSON.stringify(json.params ?? {}));
  return `[TOOL CALL ${inline(callId ?? "")}].call${tool}${path}\nParams:\n${params}`;
}

/**
 * The text of a result; null when the block is stored but not shown. `digest` is the description in the block, null
 * when the block is content. `text` is its content or its beginning, without hosting fields.
 */
export function viewToolResult(entry: Entry, digest: Digest | null, text: string, rules: EscapeRules): string | null {
  const { block } = entry;
  const tool = entry.tool ?? digest?.tool_id ?? null;
  if (digest !== null) return `${resultHeader(entry, "summary", tool)}\n${statusLine(digest)}${artifactLines(digest)}`;
  if (!block.path?.startsWith("fi:")) return viewPayload(entry, tool, rules.payload(text));
  // A patched file is stored whole but shown as the diff.
  if (tool === "react.patch" || !isShowable(block)) return null;
  return viewArtifact(entry, tool, rules.payload(text));
}

/** The text of a call that never settled, so that no call stays without an outcome. */
export function viewInterrupted(call: Entry): string {
  return `${resultHeader(call, "summary", call.tool)}\nStatus: error tool_interrupted: The call was interrupted before it gave a result. Call the tool again if the result is still needed.`;
}

function viewPayload(entry: Entry, tool: string | null, text: string): string {
  const path = entry.path === null ? "" : `\nlogical_path: ${inline(entry.path)}`;
  return `${resultHeader(entry, "result", tool)}${path}\n${text}`;
}

function viewArtifact(entry: Entry, tool: string | null, text: string): string {
  const { block } = entry;
  const physical = isHosted(entry) ? physicalPath(block) : undefined;
  const physicalLine = physical === undefined ? "" : `physical_path: ${inline(physical)}\n`;
  const header = `${resultHeader(entry, "artifact", tool)}\nlogical_path: ${inline(entry.path ?? "")}\n${physicalLine}`;
  return `${header}${text}`;
}

function isHosted({ block }: Entry): boolean {
  return Boolean(block.meta?.hosted_uri || block.meta?.rn || block.meta?.key);
}

function resultHeader(entry: Entry, part: "summary" | "result" | "artifact", tool: string | null): string {
  return `[TOOL RESULT ${inline(entry.callId ?? "")}].${part}${tool === null ? "" : ` ${inline(tool)}`}`;
}

function statusLine({ error }: Digest): string {
  return error === undefined ? "Status: success" : `Status: error ${inline(error.code)}: ${inline(error.message)}`;
}

function artifactLines(digest: Digest): string {
  const { artifact_path: path } = digest;
  if (path === undefined) return "";
  let lines = `\nArtifacts:\n- logical_path: ${inline(canonicalPath(path) ?? path)}`;
  if (digest.kind !== undefined) lines += ` | kind: ${inline(digest.kind)}`;
  if (digest.visibility !== undefined) lines += ` | visibility: ${inline(digest.visibility)}`;
  if (digest.size_bytes !== undefined) lines += ` | size_bytes: ${digest.size_bytes}`;
  if (digest.tokens !== undefined) lines += ` | tokens: ${digest.tokens}`;
  if (digest.sources_used !== undefined) lines += ` | sources_used: ${JSON.stringify(digest.sources_used)}`;
  if (digest.edited) lines += " | edited: true";
  if (digest.write_warning !== undefined) lines += ` | write_warning: ${inline(digest.write_warning)}`;
  return lines;
}
