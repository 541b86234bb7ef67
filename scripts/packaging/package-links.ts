/** Links of the pages that are copied into the published package, which contains fewer files than the repository. */
import { posix } from "node:path";

/**
 * Removes links to files that are not in `present`: pictures, and links that stand alone in parentheses, are removed
 * completely; other links become their text. `path` is the page's own path; all paths are relative to the package.
 */
export function removeMissingLinks(text: string, path: string, present: ReadonlySet<string>): string {
  const isMissing = (target: string) => {
    if (/^(?:[a-z]+:|#)/.test(target)) return false;
    const file = posix.join(posix.dirname(path), target.replace(/#.*$/, "")).replace(/\/$/, "");
    return !present.has(file);
  };
  return text
    .replaceAll(/!\[[^\]]*\]\(([^()\s]+)\)\n*/g, (whole, target: string) => (isMissing(target) ? "" : whole))
    .replaceAll(/ \(\[[^\]]*\]\(([^()\s]+)\)\)/g, (whole, target: string) => (isMissing(target) ? "" : whole))
    .replaceAll(/(?<!!)\[([^\]]*)\]\(([^()\s]+)\)/g, (whole, words: string, target: string) =>
      isMissing(target) ? words : whole,
    );
}

/** The text for a place from which relative links would not lead to their files. */
export function withoutLinks(text: string): string {
  return text.replaceAll(/\[([^\]]*)\]\([^()\s]+\)/g, "$1");
}
