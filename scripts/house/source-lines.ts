/**
 * Lines of source, tests aside: every line of the files in `packages/<name>/src`, blank lines and comments included.
 * Test support is counted apart: the simulated providers of `cairn-agent/testing`, which were in the package testkit at
 * the baseline. Testkit itself is not counted.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { testOnlyPackage } from "../layers/layer-order.ts";
import { isTest, sourcePaths } from "../layers/source-tree.ts";
import { featureLines } from "./features.ts";

interface SourceCount {
  readonly files: number;
  readonly lines: number;
}

export interface SourceCounts {
  /** Line counts by package, in the order of the names, test support included. */
  readonly packages: ReadonlyMap<string, SourceCount>;
  readonly testSupport: number;
  /** Lines that the commits of each feature added. */
  readonly features: ReadonlyMap<string, number>;
  readonly total: number;
  /** All other lines: those of the baseline, as they are now. */
  readonly restructured: number;
}

const TEST_SUPPORT = /^packages\/front\/src\/testing(?:\/|\.ts$)/;

export function countSource(root: string): SourceCounts {
  const packages = new Map<string, SourceCount>();
  let [testSupport, total] = [0, 0];
  for (const path of sourcePaths(root, "packages").sort()) {
    const name = packageOf(path);
    if (name === null) continue;
    const added = linesIn(readFileSync(join(root, path), "utf8"));
    const { files, lines } = packages.get(name) ?? { files: 0, lines: 0 };
    packages.set(name, { files: files + 1, lines: lines + added });
    total += added;
    if (TEST_SUPPORT.test(path)) testSupport += added;
  }
  const features = featureLines(root, (path) => packageOf(path) !== null && !TEST_SUPPORT.test(path));
  const inFeatures = [...features.values()].reduce((sum, lines) => sum + lines, 0);
  return { packages, testSupport, features, total, restructured: total - testSupport - inFeatures };
}

/** The package whose source a file is; null for tests, the testkit and everything outside `src`. */
function packageOf(path: string): string | null {
  const name = /^packages\/([^/]+)\/src\/.+\.(?:[cm]?ts|tsx|[cm]?js|jsx)$/.exec(path)?.[1];
  return name === undefined || name === testOnlyPackage || isTest(path) ? null : name;
}

function linesIn(text: string): number {
  return text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
