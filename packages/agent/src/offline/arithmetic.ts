/**
 * Arithmetic in a message: `what is 12 * (3 + 4.5)?`, `15% of 80`, `2^10`. The results are exact, because numbers are
 * fractions of whole numbers of any size. A message with any other content is not arithmetic.
 */
import { convertUnits } from "./convert-units.ts";
import { daysBetween } from "./days-between.ts";
import { decimal, divide, type Fraction, fraction, multiply, power, squareRoot, Unanswerable } from "./fraction.ts";
import { readContinental, readEnglish } from "./number-forms.ts";
import { folded, type Language } from "./phrases/language.ts";
import { wordSum } from "./word-sums.ts";

export type Arithmetic =
  | { readonly expression: string; readonly value: string; readonly isExact: boolean }
  | { readonly notUnderstood: string }
  | { readonly expression: string; readonly problem: "divisionByZero" | "tooLarge" | "exchangeRates" };

const MAX_LENGTH = 200;

const BEFORE =
  /^(?:(?:hi|hello|hey|please|ok|so|and|also|then|now|can you|could you|tell me|calculate|compute|work out|evaluate|solve|what(?:'s| is| are| does)?|how much (?:is|are)|the (?:result|value) of|hallo|bitte|und|auch|dann|kannst du|sag mir|berechne|rechne|was (?:ist|sind|ergibt|macht)|wie ?viel (?:ist|sind|ergibt|macht)|bonjour|s'il te plait|et|aussi|puis|peux-tu|dis-moi|calcule[rz]?|combien (?:font|fait|vaut)|que (?:vaut|valent|font|fait)|quel est le resultat de|quelle est|an?(?= \d+ ?%))(?![a-z])[\s,:!]*)*/;
const AFTER = /[\s,]*(?:=|is|please|equals|ist|ergibt|aus|bitte|s'il te plait|make|\?|!|\.(?!\d)|\s)*$/;
const OPERATORS: readonly (readonly [RegExp, string])[] = [
  [/(?:multiplied by|times|mal|fois)(?![a-z])|[×·∙]/g, "*"],
  [/(?:divided by|geteilt durch|divise par)(?![a-z])|÷/g, "/"],
  [/(?<=\d )to the (\d+)(?:st|nd|rd|th)(?: power)?(?![a-z])/g, "^$1"],
  [/(?:to the power of|hoch|puissance)(?![a-z])|\*\*/g, "^"],
  [
    /(?:the |die |la )?(?:square root|sqrt|quadratwurzel|wurzel|racine carree|racine)(?![a-z])(?: (?:of|aus|von|de)(?![a-z]))?/g,
    "√",
  ],
  [/(?<=\d )(?:dozen|dutzend|douzaines?)(?![a-z])/g, "* 12"],
  [/(?:plus)(?![a-z])/g, "+"],
  [/(?:minus|moins)(?![a-z])|[−–]/g, "-"],
  [/(?:percent|per cent|prozent|pour cent)(?![a-z])/g, "%"],
  [/%\s*(?:tip |trinkgeld )?(?:of|on|von|auf|de|sur)(?![a-z])/g, "%*"],
  [
    /(?:split|divide|teile) (\S+?) (?:between|among|by|into|in|with|durch|auf) (\d+)(?: (?:people|persons|friends|of us|ways|parts|personen|leute|teile))?$/g,
    "$1 / $2",
  ],
  [/[$€£]\s?(?=\d)|(?<=\d)\s?(?:[$€£]|(?:euros?|dollars?)(?![a-z]))/g, ""],
  [/(?<=[\d)])\s*x\s*(?=[\d(])/g, "*"],
];
const TOKEN = /\s*(\d[\d.,']*|[-+*/^%()√])/y;

/** The boundaries between the calculations of one message. */
const BETWEEN = /\n+|(?<=[?!;])\s+|(?<=[.])\s+(?!\d)/;

/** A message with this many calculations is about calculations. The answer also names the parts that are not. */
const MIN_RESULTS = 2;

/** Computes every calculation of the message; null if the message is not about calculations. */
export function arithmeticIn(message: string, language: Language): readonly Arithmetic[] | null {
  if (message.length > MAX_LENGTH) return null;
  const one = resultOf(message, language);
  if (one !== null) return [one];
  const parts = message.split(BETWEEN).filter((part) => /[\p{L}\p{N}]/u.test(part));
  const results = parts.length < 2 ? [] : parts.map((part) => resultOf(part, language));
  const known = results.filter((result) => result !== null);
  if (known.length === 0 || (known.length < parts.length && known.length < MIN_RESULTS)) return null;
  return parts.map((part, nth) => results[nth] ?? { notUnderstood: part.trim() });
}

function resultOf(message: string, language: Language): Arithmetic | null {
  const inWords = wordSum(message);
  if (inWords === null)
    return daysBetween(message, language) ?? convertUnits(message, language) ?? arithmeticOf(message, language);
  const result = arithmeticOf(inWords.sum, language);
  return result !== null && "value" in result ? { ...result, value: `${result.value}${inWords.unit}` } : result;
}

function arithmeticOf(message: string, language: Language): Arithmetic | null {
  const text = folded(message).toLowerCase().trim();
  const bare = text.replace(BEFORE, "");
  const isAsked = bare !== text || /[=?]\s*$/.test(text);
  let written = bare.replace(AFTER, "");
  for (const [words, sign] of OPERATORS) written = written.replaceAll(words, sign);
  const tokens = tokensOf(written, language);
  if (tokens === null || !tokens.some((token) => /^[-+*/^%√]$/.test(token))) return null;
  // `5-3` can be a date, a phone number or a sign, so it counts as a calculation only if the message asks to calculate.
  if (!isAsked && /^[-+]?[\d.,]+(?:[-/][\d.,]+)*%?$/.test(written)) return null;
  const expression = spelled(tokens, language);
  try {
    const value = new Parser(tokens).parse();
    return value === null ? null : { expression, ...decimal(value, language) };
  } catch (error) {
    if (error instanceof Unanswerable) return { expression, problem: error.problem };
    throw error;
  }
}

/** Splits a text into signs and numbers in the form `1234.5`; null if it contains anything else. */
function tokensOf(text: string, language: Language): string[] | null {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const [, token] = TOKEN.exec(text) ?? [];
    if (token === undefined) return null;
    const plain = /^\d/.test(token) ? plainNumber(token, language) : token;
    if (plain === null) return null;
    tokens.push(plain);
  }
  return tokens;
}

/** Reads the marks of thousands and decimals as the language writes them, or else in the only way that makes sense. */
function plainNumber(written: string, language: Language): string | null {
  const [first, second] = language === "en" ? [readEnglish, readContinental] : [readContinental, readEnglish];
  return first(written) ?? second(written);
}

/** Parses an expression by recursive descent; each method returns null if the text is not an expression. */
class Parser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  parse(): Fraction | null {
    const value = this.#sum();
    return this.#at === this.#tokens.length ? value : null;
  }

  #take(...signs: readonly string[]): string | null {
    const token = this.#tokens[this.#at];
    if (token === undefined || !signs.includes(token)) return null;
    this.#at++;
    return token;
  }

  #sum(): Fraction | null {
    let left = this.#product();
    for (let sign = this.#take("+", "-"); left !== null && sign !== null; sign = this.#take("+", "-")) {
      const right = this.#product();
      if (right === null) return null;
      const term = right.isPercent === true && left.isPercent !== true ? multiply(left, right) : right;
      const over = term.over * left.under;
      left = {
        ...fraction(left.over * term.under + (sign === "+" ? over : -over), left.under * term.under),
        ...(left.isPercent === true && right.isPercent === true ? { isPercent: true } : {}),
      };
    }
    return left;
  }

  #product(): Fraction | null {
    let left = this.#signed();
    for (let sign = this.#take("*", "/"); left !== null && sign !== null; sign = this.#take("*", "/")) {
      const right = this.#signed();
      if (right === null) return null;
      left = sign === "*" ? multiply(left, right) : divide(left, right);
    }
    return left;
  }

  #signed(): Fraction | null {
    const sign = this.#take("+", "-");
    if (sign === null) return this.#power();
    const value = this.#signed();
    return value === null || sign === "+" ? value : { ...value, over: -value.over };
  }

  /** Powers come before signs and group to the right: `-2^2` is -4, and `2^3^2` is 2^9. */
  #power(): Fraction | null {
    const base = this.#percentage();
    if (base === null || this.#take("^") === null) return base;
    const exponent = this.#signed();
    // Returns null for an exponent that is not a whole number, because a root is not a fraction.
    return exponent === null || exponent.under !== 1n ? null : power(base, exponent.over);
  }

  #percentage(): Fraction | null {
    let value = this.#atom();
    while (value !== null && this.#take("%") !== null)
      value = { ...fraction(value.over, value.under * 100n), isPercent: true };
    return value;
  }

  #atom(): Fraction | null {
    if (this.#take("√") !== null) {
      const of = this.#atom();
      return of === null ? null : squareRoot(of);
    }
    if (this.#take("(") !== null) {
      const value = this.#sum();
      return this.#take(")") === null ? null : value;
    }
    const [, whole, decimals = ""] = /^(\d+)(?:\.(\d+))?$/.exec(this.#tokens[this.#at] ?? "") ?? [];
    if (whole === undefined) return null;
    this.#at++;
    return fraction(BigInt(`${whole}${decimals}`), 10n ** BigInt(decimals.length));
  }
}

/** Writes the expression in the form in which it was understood, so that the user can check it. */
function spelled(tokens: readonly string[], language: Language): string {
  let text = "";
  for (const [nth, token] of tokens.entries()) {
    const before = tokens[nth - 1];
    const isBinary = /^[-+*/]$/.test(token) && before !== undefined && /[\d)%]$/.test(before);
    const sign = token === "*" ? "×" : token === "/" ? "÷" : token === "-" ? "−" : token;
    const shown = /^\d/.test(token) && language !== "en" ? token.replace(".", ",") : sign;
    text += isBinary ? ` ${shown} ` : shown;
  }
  return text;
}
