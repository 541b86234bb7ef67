/** A table of the items that a message lists: `Turn this into a table: apples 3, pears 5`. */
const ASKED = /^[^:\n]{0,60}\b(?:table|tabelle|tableau)\b[^:\n]{0,20}:\s*(\S[\s\S]*)$/i;
const ASKING =
  /^(?:please |can you |could you |bitte |kannst du )*(?:make|turn|put|create|convert|write|format|mache?|erstelle?|wandle|fais|cree|transforme|mets)\b/i;
const MAX_LENGTH = 4_000;

/** Returns Markdown; null if the message lists no items with the same number of cells. */
export function tableIn(message: string): string | null {
  const said = message.trim();
  const list = said.length <= MAX_LENGTH && ASKING.test(said) ? ASKED.exec(said)?.[1] : undefined;
  if (list === undefined) return null;
  const lines = /[;\n]/.test(list) ? list.split(/\s*[;\n]\s*/) : list.split(/\s*,\s*/);
  const items = lines.map((line) => line.replace(/^[-*] |[.;]$/g, "").trim()).filter((line) => line !== "");
  const splits = [/\s*[,|\t]\s*/, /\s*(?::|=|–| - )\s*/, /\s+(?=[-+]?[$€£]?\d[\d.,]*\s*[%€$£]?$)/];
  for (const split of splits) {
    const rows = items.map((item) => item.split(/\s*[,|\t]\s*/.test(item) ? /\s*[,|\t]\s*/ : split));
    const width = rows[0]?.length ?? 0;
    if (rows.length >= 2 && width >= 2 && rows.every((row) => row.length === width)) return markdown(rows, width);
  }
  return null;
}

/** The first row is the heading if it has no number and the others have one. */
function markdown(rows: readonly (readonly string[])[], width: number): string {
  const hasNumber = (row: readonly string[]) => row.some((cell) => /\d/.test(cell));
  const [first = [], ...rest] = rows;
  const isHead = !hasNumber(first) && rest.every(hasNumber);
  const head = isHead ? first : Array.from({ length: width }, () => " ");
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...(isHead ? rest : rows).map(line)].join("\n");
}
