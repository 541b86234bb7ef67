/**
 * `react.tool.result`: what a call gave.
 *
 * A result has one of three forms: a digest, shown as a `.summary` with a status and the artifact; the content of a
 * file, shown as an `.artifact`; anything else, shown as a `.result` at its logical path. Each block is shown
 * separately: grouping the digests of a call would rewrite an earlier message block when a later one arrives.
 */
import type { Block } from "../block/block.ts";
import { type Digest, physicalPath, resultDigest, spelledDigest } from "../block/digest.ts";
import { hideHosting } from "../block/hosting.ts";
import { isShowable } from "../message/binary-view.ts";
import type { EscapeRules } from "../message/escape-rules.ts";
import { inline } from "../message/inline.ts";
import { canonicalPath } from "../path/resolve.ts";
import { addResult } from "../view/turn/view-result.ts";
import { isStatedInternal, WITHHELD } from "../visibility/rules/internal.ts";
import { isInternalResult, publicResult } from "../visibility/rules/public-result.ts";
import { defineKind, type PlacedBlock } from "./block-kind.ts";
import { convRangeSummary } from "./conv-range-summary.ts";
import { reactNote } from "./react-note.ts";
import { RESULT_HEADER, resultHeader } from "./result-header.ts";
import { viewWithBinary } from "./view-text.ts";

export const reactToolResult = defineKind({
  type: "react.tool.result",
  role: "result",
  header: RESULT_HEADER,
  content: (placed, version) => {
    const { path, text = "" } = placed.block;
    if (digestOf(placed, version) !== null) return null;
    return path?.startsWith("fi:") ? text : hideHosting(text);
  },
  view: (placed, text, rules, version) => {
    const body = viewResult(placed, digestOf(placed, version), text, rules);
    return body === null ? [] : viewWithBinary(body, placed.block);
  },
  addToTurn: (turn, appended, sourcesKnown) => addResult(turn, reactToolResult, appended, sourcesKnown),
  isInternal: (block) => isStatedInternal(block, resultDigest) || isInternalResult(block),
  publicPart: (block) => publicResult(block, INTERNAL_TYPES),
  withheldText: (block) => {
    const error = resultDigest(block)?.error;
    return error === undefined ? null : JSON.stringify({ error: { code: error.code, message: WITHHELD } });
  },
  namesCall: true,
  report: resultDigest,
  holdsFile: true,
  pruning: "json",
  addToDigest: (placed, path, digest) => digest.addResult(placed, path),
  isRoot: ({ block, digest, traits }, path) => {
    if (!(block.text || block.base64 || block.meta?.blob)) return false;
    // Content that is shown again is listed at its original path.
    if (traits.showsAgain === true || digest !== null) return false;
    return path.startsWith("fi:") || path.startsWith("so:") || traits.refers !== true;
  },
});

/** Types of internal blocks that a search of the past finds: notes and summaries. Old journals do not mark them. */
const INTERNAL_TYPES: ReadonlySet<unknown> = new Set([reactNote.type, convRangeSummary.type]);

/** The digest of a result. Rendering rules before version 4 read it from the text alone. */
function digestOf({ block, digest }: PlacedBlock, version: number): Digest | null {
  return version >= 4 ? digest : spelledDigest(block);
}

/**
 * The text of a result; null when the block is stored but not shown. `digest` is the description in the block, null
 * when the block is content. `text` is its content or its beginning, without hosting fields.
 */
function viewResult(placed: PlacedBlock, digest: Digest | null, text: string, rules: EscapeRules): string | null {
  const { block } = placed;
  const tool = placed.tool ?? digest?.tool_id ?? null;
  if (digest !== null) return `${resultHeader(placed, "summary", tool)}\n${statusLine(digest)}${artifactLines(digest)}`;
  if (!block.path?.startsWith("fi:")) return viewPayload(placed, tool, rules.payload(text));
  // A patched file is stored whole but shown as the diff.
  if (placed.traits.files === "patched" || !isShowable(block)) return null;
  return viewArtifact(placed, tool, rules.payload(text));
}

function viewPayload(placed: PlacedBlock, tool: string | null, text: string): string {
  const path = placed.path === null ? "" : `\nlogical_path: ${inline(placed.path)}`;
  return `${resultHeader(placed, "result", tool)}${path}\n${text}`;
}

function viewArtifact(placed: PlacedBlock, tool: string | null, text: string): string {
  const { block } = placed;
  const physical = isHosted(block) ? physicalPath(block) : undefined;
  const physicalLine = physical === undefined ? "" : `physical_path: ${inline(physical)}\n`;
  const header = `${resultHeader(placed, "artifact", tool)}\nlogical_path: ${inline(placed.path ?? "")}\n${physicalLine}`;
  return `${header}${text}`;
}

function isHosted({ meta }: Block): boolean {
  return Boolean(meta?.hosted_uri || meta?.rn || meta?.key);
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
