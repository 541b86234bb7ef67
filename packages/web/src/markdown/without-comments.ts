/** The text without HTML comments. One that is not closed reaches to the end, as in a browser. */
export function withoutComments(text: string): string {
  return text.replace(/<!--[\s\S]*?(?:-->|$)/g, "");
}
