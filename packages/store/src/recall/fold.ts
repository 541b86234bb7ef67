/**
 * A normal form for every character: without accents and case, wide and ligature forms as plain letters.
 *
 * Accents and points of Latin, Greek, Cyrillic, Arabic and Hebrew are removed, and so are marks that belong to no
 * script, such as those that choose how an emoji looks. In other scripts a mark is a letter: the vowels of Devanagari
 * and Thai, the voicing of Japanese.
 *
 * `withoutMarks` keeps the case, because the capitals inside `camelCase` are still needed at that point.
 */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  ẞ: "ss",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  đ: "d",
  Đ: "D",
  ł: "l",
  Ł: "L",
  ı: "i",
};
const SPECIAL = /[ßẞæÆœŒøØđĐłŁı]/g;
const BEYOND_ASCII = /[^\x00-\x7f]/;
const ACCENTS = /[\p{M}&&[\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}\p{scx=Arab}\p{scx=Hebr}\p{scx=Zinh}]]+/gv;

export function withoutMarks(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  const bare = text.toWellFormed().normalize("NFKD").replace(ACCENTS, "");
  // Korean syllables and Japanese letters come apart with the accents; composing joins them again.
  return bare.replace(SPECIAL, (letter) => LETTERS[letter] ?? letter).normalize("NFC");
}

export function fold(text: string): string {
  return withoutMarks(text).toLowerCase();
}
