/**
 * Turn ids and call ids as they are read: a turn id is `turn_` and letters, digits, `_`, `-`; a call id is any run of
 * those characters. Ids are scanned by character code for speed, because every block of a conversation is checked.
 */

/** Index just past the run of id characters that starts at `from`; `from` itself when there are no such characters. */
export function idEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isIdCharacter(text.charCodeAt(at))) at++;
  return at;
}

/** Index just past the turn id that starts at `from`, or -1 when none starts there. */
export function turnIdEnd(text: string, from: number): number {
  if (!text.startsWith("turn_", from)) return -1;
  const end = idEnd(text, from + 5);
  return end > from + 5 ? end : -1;
}

export function isTurnId(text: string): boolean {
  return text.length > 0 && turnIdEnd(text, 0) === text.length;
}

export function isCallId(text: string): boolean {
  return text.length > 0 && idEnd(text, 0) === text.length;
}

function isIdCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || // a-z
    (code >= 48 && code <= 57) || // 0-9
    code === 95 || // _
    (code >= 65 && code <= 90) || // A-Z
    code === 45 // -
  );
}
