/**
 * Lines of source, tests aside: every line of the files in `packages/<name>/src`, blank lines and comments included.
 * The package testkit is test support and is not counted.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { testOnlyPackage } from "../layers/layer-order.ts";
import { isTest, sourcePaths } from "../layers/source-tree.ts";

export interface SourceCount {
  readonly files: number;
  readonly lines: number;
}

/** Package name → count, in the order of the names. */
export function sourceLines(root: string): Map<string, SourceCount> {
  const counts = new Map<string, SourceCount>();
  for (const path of sourcePaths(root, "packages").sort()) {
    const name = /^packages\/([^/]+)\/src\//.exec(path)?.[1];
    if (name === undefined || name === testOnlyPackage || isTest(path)) continue;
    const { files, lines } = counts.get(name) ?? { files: 0, lines: 0 };
    counts.set(name, { files: files + 1, lines: lines + linesIn(readFileSync(join(root, path), "utf8")) });
  }
  return counts;
}

export function totalLines(counts: ReadonlyMap<string, SourceCount>): number {
  return [...counts.values()].reduce((sum, { lines }) => sum + lines, 0);
}

function linesIn(text: string): number {
  return text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
