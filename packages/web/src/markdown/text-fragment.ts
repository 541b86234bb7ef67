/** An address of a passage in a page: browsers with text fragments scroll there and highlight the passage. */
const MAX_WORDS = 12;
const ENDS = 5;

export function atWords(href: string, words: string): string {
  if (words.trim() === "") return href;
  const all = words.trim().split(/\s+/);
  // A long passage is identified by its beginning and its end.
  const parts = all.length <= MAX_WORDS ? [all] : [all.slice(0, ENDS), all.slice(-ENDS)];
  const text = parts.map((part) => encodeURIComponent(part.join(" ")).replaceAll("-", "%2D")).join(",");
  return `${href}${href.includes("#") ? "" : "#"}:~:text=${text}`;
}
