/**
 * Formulas: TeX as people write it, turned into a Typst formula.
 *
 * Formulas are the only input that the template evaluates, so none may escape its context. In a formula `#` begins
 * code, `$` ends it, `std` reaches the library; a comment would hide what follows. A formula with one of these outside
 * a string, or with an unclosed string, is not evaluated and is shown as TeX.
 */
import { tex2typst } from "tex2typst";

const MAX_LENGTH = 10_000;
/** Strings, escaped symbols, and the constants and spaces that the converter itself writes as code. */
const HARMLESS = /"(?:\\.|[^"\\])*"|\\[^\sA-Za-z]|#(?:true|false|none)\b|#h\(-?[\d.]{1,8}(?:em|pt|mm|cm|in)\)/g;
const LEAVES = /[#$@"`]|\bstd\b|\/\/|\/\*|\\u/;

/** Cases in TeX, which has a gap between a value and its condition; Typst does not. */
const CASES = /\\begin\{cases\}[\s\S]*?\\end\{cases\}/g;

/** Converts a formula to Typst; null when it cannot be parsed, or might escape its context. */
export function typstMath(tex: string): string | null {
  if (tex.length > MAX_LENGTH || tex.trim() === "") return null;
  let math: string;
  try {
    math = withBars(tex2typst(inKnownWords(tex.replace(CASES, (cases) => cases.replace(/(?<!\\)&/g, "& \\quad ")))));
  } catch {
    // The converter fails on unknown TeX: the reader sees the TeX.
    return null;
  }
  const bare = math.replace(HARMLESS, " ");
  return LEAVES.test(bare) ? null : math;
}

/** Replaces common TeX that the converter does not support with supported TeX. */
function inKnownWords(tex: string): string {
  return tex
    .replace(/\\(?:label|nonumber|notag)(?:\{[^{}]*\})?/g, "")
    .replace(/\\tag\*?\{([^{}]*)\}/g, "\\qquad\\text{($1)}")
    .replace(/\\(bm|boxed)(?![A-Za-z])/g, (_, name: string) => (name === "bm" ? "\\boldsymbol" : ""))
    .replace(/\\(blacksquare|qed|Box)(?![A-Za-z])/g, (_, name: string) => (name === "blacksquare" ? "■" : "□"))
    .replace(/\\[lr]vert(?![A-Za-z])/g, "|")
    .replace(/\\[lr]Vert(?![A-Za-z])/g, "\\|");
}

const BAR = /(?<![|\w.])\| ([^|"]+?) \|(?!\|)/g;
const DOUBLE_BAR = /bar\.v\.double ((?:(?!bar\.v\.double)[^"])+?) bar\.v\.double/g;

/** Bars around an expression, without the gaps of bars between expressions. */
function withBars(math: string): string {
  const around = (name: string) => (whole: string, inner: string) =>
    isWhole(inner) && !/[,;]/.test(inner) ? `${name}(${inner})` : whole;
  return math.replace(DOUBLE_BAR, around("norm")).replace(BAR, around("abs"));
}

/** Whether all brackets in a formula are balanced. */
function isWhole(math: string): boolean {
  let depth = 0;
  for (const character of math.replace(/\\./g, "")) {
    if ("([{".includes(character)) depth++;
    else if (")]}".includes(character)) depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}
