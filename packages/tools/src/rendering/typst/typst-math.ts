/**
 * Formulas: TeX as people write it, turned into a Typst formula.
 *
 * A formula is the one thing the template evaluates, so nothing may leave it. In a formula `#` begins code, `$` ends it,
 * `std` reaches the library; a comment would swallow what follows. Whatever has one of these outside a string, or a
 * string that does not end, is not evaluated and is shown as TeX.
 */
import { tex2typst } from "tex2typst";

const LONGEST = 10_000;
/** Strings, escaped signs, and the constants and spaces the converter itself writes as code. */
const HARMLESS = /"(?:\\.|[^"\\])*"|\\[^\sA-Za-z]|#(?:true|false|none)\b|#h\(-?[\d.]{1,8}(?:em|pt|mm|cm|in)\)/g;
const LEAVES = /[#$@"`]|\bstd\b|\/\/|\/\*|\\u/;

/** TeX has a gap between a value and when it holds; Typst aligns them without. */
const CASES = /\\begin\{cases\}[\s\S]*?\\end\{cases\}/g;

/** Null when it cannot be read as a formula, or could be more than one. */
export function typstMath(tex: string): string | null {
  if (tex.length > LONGEST || tex.trim() === "") return null;
  let math: string;
  try {
    math = tex2typst(tex.replace(CASES, (cases) => cases.replace(/(?<!\\)&/g, "& \\quad ")));
  } catch {
    // Whatever the converter makes of TeX it does not know: the reader sees the TeX.
    return null;
  }
  const bare = math.replace(HARMLESS, " ");
  return LEAVES.test(bare) ? null : math;
}
