/** Whether a text is a number as people write it, with signs, separators, a currency, a unit or a percent sign. */
export function isFigure(text: string): boolean {
  return /^[-+−±~≈<>]?\s?\p{Sc}?\s?-?\d[\d.,'’\s\u00a0\u202f]*\s?(?:\p{Sc}|%|‰|°|[\p{L}µ°]{1,4}(?:\/[\p{L}]{1,3})?)?$/u.test(
    text.trim(),
  );
}
