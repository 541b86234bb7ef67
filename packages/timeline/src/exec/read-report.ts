/** Reads the failures of a program from the text of its report (`report.ts`), because nothing else is stored. */

export interface ReadReport {
  /** The error as `code — message`; null when the program ran to its end. */
  readonly runtimeError: string | null;
  /** `path: reason` of each file of the contract that failed. */
  readonly failed: readonly string[];
  /** Number of files of the contract that the program has written. */
  readonly succeeded: number;
}

const FIRST = "Runtime error: ";

/** Reads the report of a program; null for any other text. The program's output at the end is not parsed. */
export function readExecReport(text: string): ReadReport | null {
  if (!text.startsWith(FIRST)) return null;
  const [first = "", ...rest] = text.split("\n");
  const said = first.slice(FIRST.length);
  const log = rest.indexOf("Program log (tail):");
  const lines = log < 0 ? rest : rest.slice(0, log);
  return {
    runtimeError: said === "none" ? null : said,
    failed: entriesUnder(lines, "File errors:"),
    succeeded: entriesUnder(lines, "Succeeded:").length,
  };
}

function entriesUnder(lines: readonly string[], heading: string): string[] {
  const start = lines.indexOf(heading);
  const found: string[] = [];
  for (let at = start + 1; start >= 0 && lines[at]?.startsWith("- ") === true; at++)
    found.push(lines[at]?.slice(2) ?? "");
  return found;
}
