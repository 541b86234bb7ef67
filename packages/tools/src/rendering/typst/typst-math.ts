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
    math = withBars(tex2typst(inKnownWords(tex.replace(CASES, (cases) => cases.replace(/(?<!\\)&/g, "& \\quad ")))));
  } catch {
    // Whatever the converter makes of TeX it does not know: the reader sees the TeX.
    return null;
  }
  const bare = math.replace(HARMLESS, " ");
  return LEAVES.test(bare) ? null : math;
}

/** What people write and the converter does not know, in words that it does. */
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

/** Bars around something, without the gaps that bars between things have. */
function withBars(math: string): string {
  const around = (name: string) => (whole: string, inner: string) =>
    isWhole(inner) && !/[,;]/.test(inner) ? `${name}(${inner})` : whole;
  return math.replace(DOUBLE_BAR, around("norm")).replace(BAR, around("abs"));
}

/** Whether every bracket in it is closed in it. */
function isWhole(math: string): boolean {
  let depth = 0;
  for (const character of math.replace(/\\./g, "")) {
    if ("([{".includes(character)) depth++;
    else if (")]}".includes(character)) depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}
