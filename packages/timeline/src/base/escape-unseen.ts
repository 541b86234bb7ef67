/** Characters that are invisible or change the direction of text, and line separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Shows each of these characters as its code: `report\u202efdp.exe` looks like `reportexe.pdf`. JSON stays valid. */
export function escapeUnseen(text: string): string {
  return text.replace(UNSEEN, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      return `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
    }).join(""),
  );
}
