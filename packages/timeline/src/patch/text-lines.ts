/**
 * A text as lines with their line ends kept apart, so that a patch and a file with different ends can be compared and
 * every line put back exactly as it was. Only `\n` and `\r\n` end a line; a lone `\r` is content.
 */
export interface TextLines {
  readonly texts: string[];
  /** `"\n"`, `"\r\n"`, or `""` for a last line without an end. */
  readonly ends: string[];
}

export function splitLines(text: string): TextLines {
  const texts: string[] = [];
  const ends: string[] = [];
  let start = 0;
  while (start < text.length) {
    const newline = text.indexOf("\n", start);
    if (newline === -1) {
      texts.push(text.slice(start));
      ends.push("");
      break;
    }
    const crlf = newline > start && text[newline - 1] === "\r";
    texts.push(text.slice(start, crlf ? newline - 1 : newline));
    ends.push(crlf ? "\r\n" : "\n");
    start = newline + 1;
  }
  return { texts, ends };
}

export function joinLines({ texts, ends }: TextLines): string {
  return texts.map((text, index) => text + (ends[index] ?? "")).join("");
}
