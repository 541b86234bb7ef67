/** The text without HTML comments. A comment that is not closed extends to the end, as in a browser. */
export function withoutComments(text: string): string {
  return text.replace(/<!--[\s\S]*?(?:-->|$)/g, "");
}
