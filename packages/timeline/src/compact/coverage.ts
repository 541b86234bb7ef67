/**
 * The coverage check: whatever a compaction covers can still be found.
 *
 * A root is a covered block that carries content of its own: what was said, made, attached, noted or found. Each must
 * be named in the summary's text or in the digest the summary keeps, or stand behind a page, which an earlier check
 * has proven. Gives the paths that are not.
 */
import type { Block } from "../block/block.ts";
import { Entry } from "../state/entry.ts";
import { digestOfSummary } from "./digest.ts";
import { pathOf } from "./digest-entries.ts";
import { renderDigest } from "./summary-text.ts";

const ROOT_TYPES = new Set(["user.prompt", "assistant.completion", "user.attachment.meta", "user.attachment"]);

export function uncoveredRoots(covered: readonly Entry[], summary: Block): string[] {
  const entry = new Entry(0, summary, 1, null);
  const found = `${summary.text ?? ""}\n${renderDigest(digestOfSummary(entry))}`;
  const missing = new Set<string>();
  for (const each of covered) {
    const path = pathOf(each.block);
    if (path !== "" && isRoot(each, path) && !mentions(found, path)) missing.add(path);
  }
  return [...missing];
}

function isRoot(entry: Entry, path: string): boolean {
  const { block, tool } = entry;
  if (ROOT_TYPES.has(block.type)) return true;
  if (block.type !== "react.tool.result" || !(block.text || block.base64 || block.meta?.blob)) return false;
  // What `react.read` shows again has a path of its own elsewhere; other tools' own results are roots.
  if (tool === "react.read" || entry.digest !== null) return false;
  return path.startsWith("fi:") || path.startsWith("so:") || tool === null || !tool.startsWith("react.");
}

/** Whether a text holds a path as a whole and not as the beginning of a longer one. */
function mentions(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    const next = text.charAt(at + path.length);
    if (next === "" || /[\s,:|\]]/.test(next)) return true;
  }
  return false;
}
