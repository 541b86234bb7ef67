/** `user.attachment.meta`: the description of a file that the user attached. */
import type { Block } from "../block/block.ts";
import { attachmentDigest } from "../block/digest.ts";
import type { EscapeRules } from "../message/escape-rules.ts";
import { inline } from "../message/inline.ts";
import { paragraph } from "../message/paragraph.ts";
import { canonicalPath } from "../path/resolve.ts";
import { addAttachment } from "../view/turn/view-file.ts";
import { defineKind } from "./block-kind.ts";

export const userAttachmentMeta = defineKind({
  type: "user.attachment.meta",
  header: "[USER ATTACHMENT]",
  content: () => null,
  view: ({ block }, _, rules) => paragraph(attachmentHeader(block, rules)),
  group: () => "opening",
  addToTurn: (turn, appended, sourcesKnown) => addAttachment(turn, userAttachmentMeta, appended, sourcesKnown),
  file: attachmentDigest,
  attachment: "meta",
  addToDigest: (placed, path, digest) => digest.addFile(placed, path),
  isRoot: () => true,
});

function attachmentHeader(block: Block, rules: EscapeRules): string {
  const digest = attachmentDigest(block);
  const path = block.path ?? digest.artifact_path;
  const name = digest.filename ?? path?.slice(path.lastIndexOf("/") + 1) ?? "";
  const mime = digest.mime ?? block.mime;
  const lines = [`[USER ATTACHMENT] ${inline(name)}${mime === undefined ? "" : ` | ${inline(mime)}`}`];
  if (digest.summary !== undefined) lines.push(`summary: ${rules.continuation(digest.summary)}`);
  if (path !== undefined) lines.push(`[path: ${inline(canonicalPath(path) ?? path)}]`);
  if (digest.physical_path !== undefined) lines.push(`[physical_path: ${inline(digest.physical_path)}]`);
  return lines.join("\n");
}
