/** `conv.range.summary`: what a compaction leaves of the blocks before it. */
import type { Block } from "../block/block.ts";
import { digestOfSummary, pageOfSummary } from "../compact/digest/digest.ts";
import { renderDigest } from "../compact/digest/summary-text.ts";
import { inline } from "../message/inline.ts";
import { paragraph } from "../message/paragraph.ts";
import { defineKind } from "./block-kind.ts";
import { pathLine } from "./view-text.ts";

export const convRangeSummary = defineKind({
  type: "conv.range.summary",
  role: "summary",
  header: "[CONVERSATION SUMMARY]",
  view: (placed, text, rules) =>
    paragraph(`[CONVERSATION SUMMARY]\n${pathLine(placed)}${coveredLine(placed.block)}${rules.payload(text)}`),
  isFrame: true,
  // A summary is internal, because it may repeat internal notes.
  isInternal: () => true,
  // Returns the whole digest, of which the text contains only as much as fits.
  readText: (block) =>
    block.meta?.digest_complete === false
      ? `${block.text ?? ""}\n\nAll of the digest:\n${renderDigest(pageOfSummary(block))}`
      : block.text,
  search: { code: 5, isMessage: false },
  pruning: "keep",
  // The digest of an earlier summary is united with the new one as a whole (`compact/digest-merge.ts`).
  addToDigest: () => {},
  statesTimeZone: true,
  plans: ({ block }) => digestOfSummary(block).open_plans,
});

const LISTED_TURNS = 12;

/** The summary of a long conversation covers too many turns for one line. The block's meta lists all of them. */
function coveredLine(block: Block): string {
  const turns = block.meta?.covered_turn_ids;
  if (!Array.isArray(turns) || turns.length === 0) return "";
  const ids = turns.map(String);
  const listed = ids.length <= LISTED_TURNS ? ids.join(", ") : `${ids[0]} to ${ids.at(-1)} (${ids.length} turns)`;
  return `covered_turns: ${inline(listed)}\n`;
}
