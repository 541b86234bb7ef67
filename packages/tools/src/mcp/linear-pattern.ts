/**
 * Patterns that a server wrote, matched in linear time. JavaScript's own engine backtracks: `^(a+)+$` takes for ever on
 * thirty letters. RE2 does not, and has therefore neither lookarounds nor back references.
 */
import { RE2JS } from "re2js";

const MAX_PATTERN_CHARS = 1_000;
/** Steps of one match: the length of the text times the size of the program. About a tenth of a second. */
const MAX_STEPS = 2_000_000;

/** Whether the text matches; undefined when that takes too many steps to find out. */
export type MatchText = (text: string) => boolean | undefined;

const compiled = new Map<string, MatchText | null>();
const MAX_COMPILED = 1_000;

/** Null for a pattern that RE2 cannot match. */
export function linearPattern(pattern: string): MatchText | null {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const made = compile(pattern);
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(pattern, made);
  return made;
}

function compile(pattern: string): MatchText | null {
  if (pattern.length > MAX_PATTERN_CHARS) return null;
  try {
    const re2 = RE2JS.compile(RE2JS.translateRegExp(pattern));
    const size = re2.programSize();
    return (text) => (text.length * size > MAX_STEPS ? undefined : re2.test(text));
  } catch {
    return null; // Lookarounds, back references, or no pattern at all: the caller says that it is not checked.
  }
}
