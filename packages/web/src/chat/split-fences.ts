/** Splits a message into text and fenced code. Text stays as typed. */
export type SaidPart =
  | { readonly kind: "words"; readonly text: string }
  | { readonly kind: "code"; readonly text: string; readonly language: string };

const OPENING = /^(.*?)```([\w+#.-]{0,20})[ \t]*$/;

export function splitFences(message: string): SaidPart[] {
  const parts: SaidPart[] = [];
  let words: string[] = [];
  let code: { readonly language: string; readonly lines: string[] } | null = null;
  const endWords = () => {
    const text = words.join("\n").replace(/^\n+|\s+$/g, "");
    if (text !== "") parts.push({ kind: "words", text });
    words = [];
  };
  for (const line of message.split(/\r?\n/)) {
    if (code !== null) {
      if (line.trim() !== "```") code.lines.push(line);
      else {
        parts.push({ kind: "code", text: code.lines.join("\n"), language: code.language });
        code = null;
      }
      continue;
    }
    const opening = OPENING.exec(line);
    if (opening === null) words.push(line);
    else {
      words.push(opening[1] ?? "");
      endWords();
      code = { language: opening[2] ?? "", lines: [] };
    }
  }
  endWords();
  // An unclosed block extends to the end.
  if (code !== null) parts.push({ kind: "code", text: code.lines.join("\n"), language: code.language });
  return parts;
}
