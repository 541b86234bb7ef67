/** `user.attachment`: the content of a file that the user attached, after its description. */
import { addAttachment } from "../view/turn/view-file.ts";
import { defineKind } from "./block-kind.ts";

export const userAttachment = defineKind({
  type: "user.attachment",
  group: () => "opening",
  addToTurn: (turn, appended, sourcesKnown) => addAttachment(turn, userAttachment, appended, sourcesKnown),
  holdsFile: true,
  attachment: "content",
  addToDigest: (placed, path, digest) => digest.addFile(placed, path),
  isRoot: () => true,
});
