/** Numbers as people write them, in the form `1234.5`; null for anything else. */
import { exact, type Fraction } from "./fraction.ts";
import type { Language } from "./phrases/language.ts";

const ENGLISH = /^(?:0|[1-9]\d*|[1-9]\d{0,2}(?:[,']\d{3})+)(?:\.\d+)?$/;
const CONTINENTAL = /^(?:0|[1-9]\d*|[1-9]\d{0,2}(?:[.']\d{3})+)(?:,\d+)?$/;

export function readEnglish(written: string): string | null {
  return ENGLISH.test(written) ? written.replace(/[,']/g, "") : null;
}

export function readContinental(written: string): string | null {
  return CONTINENTAL.test(written) ? written.replace(/[.']/g, "").replace(",", ".") : null;
}

/** The value of a number with a sign, read as the language writes it, or else in the only way that makes sense. */
export function numberOf(said: string, language: Language): Fraction | null {
  const bare = said
    .replace(/[.,'’\s]+$/, "")
    .replace(/[\u00a0\u202f]/g, "")
    .replaceAll("’", "'");
  const sign = bare.startsWith("-") ? "-" : "";
  const digits = bare.replace(/^[-+]/, "");
  const plain =
    language === "en"
      ? (readEnglish(digits) ?? readContinental(digits))
      : (readContinental(digits) ?? readEnglish(digits));
  return plain === null ? null : exact(sign + plain);
}
