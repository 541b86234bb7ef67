/** Whether a text is a number as people write it, with signs, separators, a currency, a unit or a percent sign, or a date, a time or a range. */
export function isFigure(text: string): boolean {
  const trimmed = text.trim();
  if (/^\d[\d.:/–-]*\d$/.test(trimmed)) return true;
  return /^[-+−±~≈<>]?\s?\p{Sc}?\s?-?\d[\d.,'’\s\u00a0\u202f]*\s?(?:\p{Sc}|%|‰|°|[\p{L}µ°]{1,4}(?:\/[\p{L}]{1,3})?)?$/u.test(
    trimmed,
  );
}
