/** Compounds such as `user_name`, `e-mail` or `1,000.50` as whole words, beside their parts. */
import type { Tokens } from "./tokens.ts";
import { MAX_WORD_LENGTH, type Word } from "./words.ts";

const JOINTS = new Set(["-", "_", ".", "/", ":", ",", "'", "’"]);
const MAX_JOINED = 6;

export function compoundsIn({ words, joints }: Tokens): string[] {
  const found: string[] = [];
  for (let start = 0; start < words.length; ) {
    let end = start + 1;
    while (end < words.length && JOINTS.has(joints[end] ?? "")) end++;
    if (end > start + 1) found.push(...joined(words.slice(start, end), joints.slice(start, end)));
    start = end;
  }
  return found;
}

function joined(words: readonly Word[], joints: readonly string[]): string[] {
  if (words.some(({ isSpaceless }) => isSpaceless)) return [];
  const inner = joints.slice(1);
  if (words.every(({ isDigits }) => isDigits))
    return numbers(
      words.map(({ text }) => text),
      inner,
    );
  if (words.length > MAX_JOINED || inner.some((joint) => joint === "'" || joint === "’" || joint === ",")) return [];
  const whole = words.map(({ text }, nth) => {
    const joint = nth === 0 ? "" : (joints[nth] ?? "");
    return joint === "-" || joint === "_" ? text : joint + text;
  });
  const text = whole.join("");
  return text.length <= MAX_WORD_LENGTH ? [text] : [];
}

/** `1,000` and `1.000` are a thousand, `3.14` is a decimal. If a number can be read both ways, both are indexed. */
function numbers([first = "", ...rest]: readonly string[], joints: readonly string[]): string[] {
  if (joints.some((joint) => joint !== "." && joint !== "," && joint !== "'" && joint !== "’")) return [];
  const last = rest.at(-1) ?? "";
  const isGrouped = (groups: readonly string[]) => groups.every((group) => group.length === 3);
  const found: string[] = [];
  if (first.length <= 3 && isGrouped(rest)) found.push(first + rest.join(""));
  if (isGrouped(rest.slice(0, -1))) {
    const fraction = last.replace(/0+$/, "");
    const whole = first + rest.slice(0, -1).join("");
    found.push(fraction === "" ? whole : `${whole}.${fraction}`);
  }
  return found.filter((number) => number.length <= MAX_WORD_LENGTH);
}
