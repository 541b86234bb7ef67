/** An excerpt of an answer as one line of plain text, without the marks of bold text, code and citations. */
export function plainExcerpt(text: string): string {
  return text
    .replace(/\s?\[\[S:[^\]\n]*\]\]/g, "")
    .replace(/\*\*(?=\S)([^*\n]+?)\*\*/g, "$1")
    .replace(/`([^`\n]+)`/g, "$1");
}
