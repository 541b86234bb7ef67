/** Numbers as people write them, in the form `1234.5`; null for anything else. */
const ENGLISH = /^(?:0|[1-9]\d*|[1-9]\d{0,2}(?:[,']\d{3})+)(?:\.\d+)?$/;
const CONTINENTAL = /^(?:0|[1-9]\d*|[1-9]\d{0,2}(?:[.']\d{3})+)(?:,\d+)?$/;

export function readEnglish(written: string): string | null {
  return ENGLISH.test(written) ? written.replace(/[,']/g, "") : null;
}

export function readContinental(written: string): string | null {
  return CONTINENTAL.test(written) ? written.replace(/[.']/g, "").replace(",", ".") : null;
}
