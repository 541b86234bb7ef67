/** The question that asks a person for approval. It shows everything that the answer approves. */
const MAX_PARAMS = 4_000;
/** Characters that are invisible or change the direction of text, and line separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Null when the parameters are missing or too long: a person must not approve what the question leaves out. */
export function approvalQuestion(tool: unknown, params: unknown): string | null {
  const shown = escaped(JSON.stringify(params) ?? "");
  if (shown === "" || shown.length > MAX_PARAMS) return null;
  return `Cairn asks for your approval to call ${escaped(String(tool))} with ${shown}`;
}

/** `report\u202efdp.exe` would otherwise look like `reportexe.pdf`. The text stays valid JSON. */
function escaped(text: string): string {
  return text.replace(UNSEEN, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      return `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
    }).join(""),
  );
}
