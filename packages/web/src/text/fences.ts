/** Fenced code in Markdown. */
/** The text, with an end for fenced code that has none. */
export function closeFence(text: string): string {
  const { open } = fencesOf(text);
  return open === null ? text : `${text}\n${open}`;
}

/** The fence that is open at the end of the text, and the position of the end of the last complete one. */
export function fencesOf(text: string): { readonly open: string | null; readonly end: number } {
  let open: string | null = null;
  let end = 0;
  let at = 0;
  for (const line of text.split("\n")) {
    at = Math.min(text.length, at + line.length + 1);
    const fence = /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    if (fence === null) continue;
    if (open === null) open = fence;
    else if (fence.startsWith(open) && line.trim() === fence) {
      open = null;
      end = at;
    }
  }
  return { open, end };
}
