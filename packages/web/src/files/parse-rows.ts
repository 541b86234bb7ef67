/** Parses delimited text (RFC 4180): quotes may contain separators, line ends and doubled quotes. */
export type Separator = "," | ";" | "\t";

/** The separator: the one that occurs most often in the first row, outside of quotes. */
export function separatorOf(text: string): Separator {
  const head = (/^[^\r\n]*/.exec(text.trimStart())?.[0] ?? "").replace(/"(?:[^"]|"")*"/g, "");
  const found = (separator: Separator) => head.split(separator).length;
  return ([",", ";", "\t"] as const).reduce((best, each) => (found(each) > found(best) ? each : best));
}

export function parseRows(text: string, separator: Separator, mostRows: number): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endRow = () => {
    row.push(cell);
    cell = "";
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  };
  for (let at = 0; at < text.length && rows.length < mostRows; at++) {
    const character = text[at] ?? "";
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at++;
      } else isQuoted = false;
    } else if (character === '"' && cell === "") isQuoted = true;
    else if (character === separator) {
      row.push(cell);
      cell = "";
    } else if (character === "\n") endRow();
    else if (character !== "\r") cell += character;
  }
  if ((cell !== "" || row.length > 0) && rows.length < mostRows) endRow();
  return rows;
}
