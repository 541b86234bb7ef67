/** `react.note`: what the agent writes down for itself, or an order of the user (`meta.directive`). */
import { noteDirectives } from "../directive/directives.ts";
import { paragraph } from "../message/paragraph.ts";
import { defineKind } from "./block-kind.ts";

export const reactNote = defineKind({
  type: "react.note",
  role: "note",
  header: "[INTERNAL NOTE]",
  view: (_, text, rules) => paragraph(`[INTERNAL NOTE]\n${rules.payload(text)}`),
  // Notes are internal, except an order of the user: the user may see it again.
  isInternal: ({ meta }) => meta?.directive !== true,
  search: { code: 4, isMessage: false },
  pruning: "keep",
  addToDigest: ({ block }, path, digest) => {
    if (block.meta?.directive === true) digest.addDirectives(noteDirectives(block, path));
    else digest.addNote(path, block.text ?? "");
  },
  directives: noteDirectives,
});
