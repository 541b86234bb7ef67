/**
 * What a user told the agent to keep to. Such sentences survive every compaction word for word.
 *
 * There is no sure way to tell an instruction for good from one for the moment, so the rule leans to keeping: a
 * sentence with a word like "always", "never", "from now on" or "remember" in one of several languages is kept, and so
 * is any message marked with `meta.directive: true`.
 */
import type { Block } from "../block/block.ts";

const WORDS =
  "always|never|from now on|important|i want you to|you should|must|must not|do not|don't|remember|make sure|prefer|avoid|call me|my name is|" +
  "immer|nie|niemals|ab jetzt|merke dir|toujours|jamais|désormais|siempre|nunca|recuerda|sempre|mai|" +
  "всегда|никогда|запомни";
const DIRECTIVE = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${WORDS})(?![\\p{L}\\p{N}])|总是|永远|不要|请记住|必ず|常に|決して|항상|절대`,
  "iu",
);

/** Longer sentences are no instruction but material. */
const MAX_CHARS = 600;

/** The sentences of a user's message to keep, each as it was written. */
export function directivesOf(block: Block): string[] {
  const text = block.text ?? "";
  if (block.meta?.directive === true) return text.trim() === "" ? [] : [text.trim()];
  return sentences(text).filter((sentence) => sentence.length <= MAX_CHARS && DIRECTIVE.test(sentence));
}

function sentences(text: string): string[] {
  return text
    .split(/(?<=[.!?。！？])[ \t]+|[\r\n]+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}
