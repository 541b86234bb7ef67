/** How many lines of a block fit into a number of tokens. Only texts of about that size are counted. */
import type { CountTokens } from "../base/ports.ts";
import type { Steps } from "../base/steps.ts";
import type { Clip } from "../block/clip.ts";
import { LineWalk } from "../block/lines.ts";
import { type ClipSource, viewClipped } from "../render/block-view.ts";
import { estimateMessages } from "../render/estimate-messages.ts";

export interface FittedClip {
  readonly clip: Clip;
  readonly tokens: number;
}

/** Maximum characters of a token, except in long runs of blanks. The search looks at no more text than this allows. */
const MAX_CHARS_A_TOKEN = 32;
const MAX_STEPS = 12;
/** The search stops when the clip fills this share of its limit. */
const FILLED = 0.95;

/** The clip with the most lines that takes at most `limit` tokens; zero lines when not even one fits. */
export function* fitLines(source: ClipSource, limit: number, countTokens: CountTokens): Steps<FittedClip> {
  const none = clipTo(source, 0, countTokens);
  const ends = lineEnds(source.text, (limit + 1) * MAX_CHARS_A_TOKEN);
  let best = none;
  let low = 0;
  let high = ends.length + 1;
  // First guess: the text has as many tokens per character as the whole block.
  const whole = source.entry.tokens ?? 0;
  let guess = whole > 0 ? (Math.max(0, limit - none.tokens) * source.text.length) / whole : 0;
  for (let step = 0; step < MAX_STEPS && high - low > 1; step++) {
    const middle = (low + high) >> 1;
    const lines = step % 3 === 2 ? middle : Math.min(high - 1, Math.max(low + 1, linesWithin(ends, guess)));
    yield;
    const tried = clipTo(source, lines, countTokens);
    const room = Math.max(1, tried.tokens - none.tokens);
    guess = ((ends[lines - 1] ?? 0) * Math.max(0, limit - none.tokens) * 0.99) / room;
    if (tried.tokens > limit) high = lines;
    else {
      low = lines;
      best = tried;
      if (tried.tokens >= FILLED * limit) break;
    }
  }
  return best;
}

export function clipTo(source: ClipSource, lines: number, countTokens: CountTokens): FittedClip {
  const clip = { shown_lines: lines };
  return { clip, tokens: estimateMessages(viewClipped(source, clip), source.entry.block, countTokens) };
}

/** End offsets of lines, within the first `most` characters. */
function lineEnds(text: string, most: number): number[] {
  const walk = new LineWalk(text);
  const ends: number[] = [];
  while (!walk.isDone && walk.at < most) {
    walk.next();
    ends.push(walk.at);
  }
  return ends;
}

/** Number of lines that end within this many characters. */
function linesWithin(ends: readonly number[], chars: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) <= chars) low = middle + 1;
    else high = middle;
  }
  return low;
}
