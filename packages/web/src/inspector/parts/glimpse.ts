/** A short excerpt of a text: its beginning, or the part around the searched words. */
export function glimpse(text: string, words: string, length = 400): string {
  const whole = text.trim();
  const wanted = words.trim().toLowerCase();
  const at = wanted === "" ? -1 : whole.toLowerCase().indexOf(wanted);
  if (at <= 80) return whole.slice(0, length);
  return `…${whole.slice(at - 60, at - 60 + length)}`;
}
