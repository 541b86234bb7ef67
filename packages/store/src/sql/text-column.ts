/**
 * Text columns hold UTF-8, which cannot encode a lone surrogate: SQLite would store U+FFFD, and two different texts
 * would become one. Lone surrogates are written as U+FFFF and four hexadecimal digits, and U+FFFF itself twice, so that
 * every string has a unique column value. Event bodies are JSON, which escapes them itself.
 */
const MARK = "\uFFFF";

export function toColumn(text: string): string {
  if (text.isWellFormed() && !text.includes(MARK)) return text;
  const parts: string[] = [];
  for (const char of text) {
    if (char === MARK) parts.push(MARK + MARK);
    else if (char.isWellFormed()) parts.push(char);
    else parts.push(MARK + char.charCodeAt(0).toString(16));
  }
  return parts.join("");
}

export function fromColumn(column: string): string {
  if (!column.includes(MARK)) return column;
  return column.replace(/\uFFFF(\uFFFF|[0-9a-f]{4})/g, (_, escaped: string) =>
    escaped === MARK ? MARK : String.fromCharCode(Number.parseInt(escaped, 16)),
  );
}
