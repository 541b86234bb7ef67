/** A program in a message that asks to run it: a fenced block near a word such as "run", or without other text. */
export type ProgramLanguage = "python" | "js";

const LANGUAGES: ReadonlyMap<string, ProgramLanguage> = new Map([
  ["python", "python"],
  ["python3", "python"],
  ["py", "python"],
  ["javascript", "js"],
  ["js", "js"],
  ["mjs", "js"],
  ["node", "js"],
]);
const RUN = /\b(?:run|runs|execute|start|try)\b/i;
const FENCE = "```";
const MAX_LENGTH = 200_000;

export function pastedProgram(text: string): { readonly language: ProgramLanguage; readonly code: string } | null {
  const opening = text.indexOf(FENCE);
  if (opening === -1 || text.length > MAX_LENGTH) return null;
  const lineEnd = text.indexOf("\n", opening);
  if (lineEnd === -1) return null;
  const end = text.indexOf(`\n${FENCE}`, lineEnd);
  const code = text.slice(lineEnd + 1, end === -1 ? text.length : end + 1);
  const around = `${text.slice(0, opening)} ${end === -1 ? "" : text.slice(end + FENCE.length + 1)}`;
  const isAlone = around.trim() === "";
  if (code.trim() === "" || (!isAlone && !RUN.test(around))) return null;
  const said = text
    .slice(opening + FENCE.length, lineEnd)
    .trim()
    .toLowerCase();
  const language =
    said === "" && !isAlone ? (/\b(?:javascript|js|node)\b/i.test(around) ? "js" : "python") : LANGUAGES.get(said);
  return language === undefined ? null : { language, code };
}
