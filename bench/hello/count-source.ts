/** The size of a program as its reader sees it: lines after its imports, and names that it imports from libraries. */
import { parseSync } from "oxc-parser";

export interface SourceSize {
  readonly lines: number;
  readonly concepts: number;
}

/**
 * Empty lines, comments and imports are not counted. Names from other files of the program are not counted as concepts.
 */
export function countSource(text: string): SourceSize {
  const { module, comments } = parseSync("program.mjs", text);
  let rest = text;
  for (const { start, end } of [...module.staticImports, ...comments])
    rest = rest.slice(0, start) + rest.slice(start, end).replaceAll(/[^\n]/g, " ") + rest.slice(end);
  const libraries = module.staticImports.filter(({ moduleRequest }) => !moduleRequest.value.startsWith("."));
  return {
    lines: rest.split("\n").filter((line) => line.trim() !== "").length,
    concepts: libraries.reduce((sum, { entries }) => sum + entries.length, 0),
  };
}
