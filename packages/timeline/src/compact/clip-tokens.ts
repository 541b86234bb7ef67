/** The beginning of a text, with at most this many tokens. The result never ends inside a character. */
import type { CountTokens } from "../base/ports.ts";

export function clipTokens(text: string, limit: number, countTokens: CountTokens): string {
  if (limit <= 0) return "";
  let tokens = countTokens(text);
  let clipped = text;
  while (tokens > limit && clipped !== "") {
    // The next guess corrects the last one by its error and slightly more, so that the loop ends after a few steps.
    const length = Math.floor((clipped.length * limit * 0.97) / tokens);
    clipped = wellFormedEnd(clipped.slice(0, Math.min(length, clipped.length - 1)));
    tokens = countTokens(clipped);
  }
  return clipped;
}

function wellFormedEnd(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
