/** Exact numbers: fractions of whole numbers of any size, up to a limit. */
import type { Language } from "./phrases/language.ts";

export interface Fraction {
  readonly over: bigint;
  /** The denominator; always positive. */
  readonly under: bigint;
  /** Whether the number was written as a percentage: `200 + 10%` adds a tenth of 200. */
  readonly isPercent?: boolean;
}

/** Maximum bits of a number while it is computed. */
const MAX_BITS = 20_000;
/** Maximum digits of a result. */
const MAX_DIGITS = 400;
const MAX_DECIMALS = 20;

/** Thrown when a result does not exist or is too large to compute. */
export class Unanswerable extends Error {
  readonly problem: "divisionByZero" | "tooLarge";

  constructor(problem: "divisionByZero" | "tooLarge") {
    super(problem);
    this.problem = problem;
  }
}

export function multiply(a: Fraction, b: Fraction): Fraction {
  return fraction(a.over * b.over, a.under * b.under);
}

export function divide(a: Fraction, b: Fraction): Fraction {
  if (b.over === 0n) throw new Unanswerable("divisionByZero");
  return fraction(a.over * b.under, a.under * b.over);
}

export function power(base: Fraction, exponent: bigint): Fraction {
  if (exponent < 0n) return divide({ over: 1n, under: 1n }, power(base, -exponent));
  const bits = BigInt(Math.max(bitsOf(base.over), bitsOf(base.under)));
  const isOne = base.under === 1n && base.over >= -1n && base.over <= 1n;
  if (isOne) return { over: exponent === 0n ? 1n : exponent % 2n === 0n ? base.over ** 2n : base.over, under: 1n };
  if (bits * exponent > MAX_BITS) throw new Unanswerable("tooLarge");
  return fraction(base.over ** exponent, base.under ** exponent);
}

/** The square root; null for a negative number. A root that is not a fraction is cut after 30 decimals. */
export function squareRoot({ over, under }: Fraction): Fraction | null {
  if (over < 0n) return null;
  const [top, bottom] = [wholeRoot(over), wholeRoot(under)];
  if (top * top === over && bottom * bottom === under) return fraction(top, bottom);
  const scale = 10n ** 30n;
  return fraction(wholeRoot((over * scale * scale) / under), scale);
}

/** The whole part of a square root, by Newton's method. */
function wholeRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(bitsOf(value) / 2) + 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

export function fraction(over: bigint, under: bigint): Fraction {
  if (bitsOf(over) > MAX_BITS || bitsOf(under) > MAX_BITS) throw new Unanswerable("tooLarge");
  const shared = greatestDivisor(over, under) * (under < 0n ? -1n : 1n);
  return { over: over / shared, under: under / shared };
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  let [left, right] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (right !== 0n) [left, right] = [right, left % right];
  return left;
}

function bitsOf(value: bigint): number {
  return (value < 0n ? -value : value).toString(16).length * 4;
}

/** Writes a fraction with all decimals if they end; otherwise rounded to `roundedDecimals`. */
export function decimal(
  { over, under }: Fraction,
  language: Language,
  roundedDecimals = 12,
): { value: string; isExact: boolean } {
  const scaleOf = (decimals: number) => 10n ** BigInt(decimals);
  const isExact = scaleOf(MAX_DECIMALS) % under === 0n;
  const decimals = isExact ? MAX_DECIMALS : roundedDecimals;
  const size = (over < 0n ? -over : over) * scaleOf(decimals);
  const rounded = isExact ? size / under : (size * 2n + under) / (under * 2n);
  const digits = rounded.toString().padStart(decimals + 1, "0");
  if (digits.length > MAX_DIGITS) throw new Unanswerable("tooLarge");
  const fractional = digits.slice(-decimals).replace(/0+$/, "");
  const mark = language === "en" ? "." : ",";
  const sign = over < 0n && rounded !== 0n ? "-" : "";
  return { value: `${sign}${digits.slice(0, -decimals)}${fractional === "" ? "" : mark}${fractional}`, isExact };
}

export function add(a: Fraction, b: Fraction): Fraction {
  return fraction(a.over * b.under + b.over * a.under, a.under * b.under);
}

export function isLess(a: Fraction, b: Fraction): boolean {
  return a.over * b.under < b.over * a.under;
}

/** The value of a number in the form `-1234.5`. */
export function exact(plain: string): Fraction {
  const [whole = "", decimals = ""] = plain.split(".");
  return fraction(BigInt(whole + decimals), 10n ** BigInt(decimals.length));
}
