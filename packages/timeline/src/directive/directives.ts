/**
 * What people told the agent to keep to. Such sentences survive every compaction word for word.
 *
 * There is no sure way to tell an instruction for good from one for the moment, so the rule leans to keeping: besides
 * standing instructions, sentences that may be one are kept, behind them. A message marked `meta.directive: true` is
 * one as a whole. Only people's messages give directives: results, pages, files and answers never do.
 */
import type { Block } from "../block/block.ts";
import { addressedSentences, isLongMessage } from "./addressed-text.ts";
import { type Strength, strengthOf } from "./strength.ts";

export interface Directive {
  /** The message it stands in. */
  readonly path: string;
  readonly text: string;
  /** Its whole message was marked as a directive. */
  readonly marked?: boolean;
}

/** Longer sentences are not instructions but material. */
const MAX_CHARS = 600;

/** The directives of a user's message, each as it was written. */
export function directivesOf(block: Block, path: string): Directive[] {
  const text = block.text ?? "";
  if (block.meta?.directive === true) return text.trim() === "" ? [] : [{ path, text: text.trim(), marked: true }];
  // In a long message what only may be an instruction is a clause of what was pasted.
  const kept: readonly Strength[] = isLongMessage(text) ? ["standing"] : ["standing", "possible"];
  return addressedSentences(text)
    .filter((sentence) => sentence.text.length <= MAX_CHARS && kept.includes(strengthOf(sentence.spoken)))
    .map((sentence) => ({ path, text: sentence.text }));
}

/** Of one message, from its beginning and from its end, before those of other messages come first. */
const OUTERMOST = 2;

/**
 * From the one to keep in view first: standing ones, then standing ones from the middle of a message that has many, then
 * possible ones; the newest of each first. One message so never keeps the orders of all others out. Given oldest first.
 */
export function rankDirectives(directives: readonly Directive[]): Directive[] {
  const byMessage = Map.groupBy(directives.filter(isStanding), ({ path }) => path);
  const outer = new Set<Directive>();
  for (const own of byMessage.values())
    for (const each of [...own.slice(0, OUTERMOST), ...own.slice(-OUTERMOST)]) outer.add(each);
  const rank = (each: Directive) => (outer.has(each) ? 0 : isStanding(each) ? 1 : 2);
  return directives.toReversed().sort((a, b) => rank(a) - rank(b));
}

function isStanding({ marked, text }: Directive): boolean {
  return marked === true || strengthOf(text) === "standing";
}
