/** Names of columns, and other words, in a question about a table. */
import { wordsOf } from "./words.ts";

/** Whether the words begin with the name of a column, possibly in another form, such as the plural. */
export function isNamed(name: string, said: readonly string[]): boolean {
  const wanted = wordsOf(name);
  return (
    wanted.length > 0 &&
    wanted.every((word, nth) => {
      const [stem = ""] = wordsOf(said[nth] ?? "");
      const isPart = stem.length >= 4 && word.length >= 4 && (stem.startsWith(word) || word.startsWith(stem));
      return stem === word || (isPart && Math.abs(stem.length - word.length) <= 2);
    })
  );
}

export function indexOfWord(text: string, word: string): number {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!/[\p{L}\p{N}]$/u.test(text.slice(0, at)) && !/^[\p{L}\p{N}]/u.test(text.slice(at + word.length))) return at;
  return -1;
}
