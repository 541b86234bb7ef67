/** `system.message`: a message of the runtime to the agent, such as the one that explains a prune. */
import { paragraph } from "../message/paragraph.ts";
import { defineKind } from "./block-kind.ts";

const HEADER = "[SYSTEM MESSAGE]";

export const systemMessage = defineKind({
  type: "system.message",
  header: HEADER,
  content: () => null,
  // The message of a prune is also announced. Any other message is shown only at its own position.
  isAnnounced: ({ meta }) => meta?.kind === "cache_ttl_pruned",
  view: (_, text, rules) => paragraph(`${HEADER} ${rules.continuation(withoutHeader(text))}`),
});

/** Older writers stored the header with the text. */
function withoutHeader(text: string): string {
  return text.startsWith(HEADER) ? text.slice(HEADER.length).trimStart() : text;
}
