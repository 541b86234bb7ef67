/**
 * Matches the patterns of a foreign schema in linear time. JavaScript's own engine backtracks: `^(a+)+$` takes
 * practically forever on thirty letters. RE2 does not backtrack, so it supports neither lookarounds nor back
 * references.
 */
import { RE2JS } from "re2js";

const MAX_PATTERN_CHARS = 1_000;
/** Maximum steps of one match: the length of the text times the size of the program. About a tenth of a second. */
const MAX_STEPS = 2_000_000;

/** Whether the text matches; undefined when the match would take too many steps. */
export type MatchText = (text: string) => boolean | undefined;

const compiled = new Map<string, MatchText | null>();
const MAX_COMPILED = 1_000;

/** Compiles a pattern; null for a pattern that RE2 does not support. */
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
    return null; // RE2 does not support lookarounds, back references and invalid patterns. The caller reports that the pattern is not checked.
  }
}
