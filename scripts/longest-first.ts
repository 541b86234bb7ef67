/**
 * Starts the test files that take longest first. Vitest starts the largest first where it has not seen them run, as on a
 * fresh clone; some that take a minute have a few lines, and the last of them would run alone at the end.
 */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { projectRoot } from "./run-command.ts";

/** Those of twenty seconds and more, the longest first. */
export const LONGEST: readonly string[] = [
  "packages/server/src/cluster.test.ts",
  "packages/agent/src/turn/fuzz.test.ts",
  "packages/web/e2e/look.test.ts",
  "packages/store/src/postgres.suite.test.ts",
  "packages/tools/src/exec/escapes.test.ts",
  "packages/server/src/queue/cluster/cluster-queue.test.ts",
  "packages/store/src/s3/s3-blob-store.test.ts",
  "packages/agent/src/turn/crash-matrix.test.ts",
  "packages/store/src/cluster.test.ts",
  "packages/web/e2e/provider.test.ts",
  "packages/server/src/workers.test.ts",
  "packages/web/e2e/chat.test.ts",
  "packages/web/e2e/inspector-look.test.ts",
  "packages/store/src/embedded.crash.test.ts",
  "scripts/cluster.test.ts",
  "packages/tools/src/exec/sandboxes.test.ts",
  "packages/store/src/embedded.compare.test.ts",
  "bench/server.test.ts",
  "bench/cluster.test.ts",
];

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.indexOf(relative(projectRoot, moduleId));
      return place < 0 ? LONGEST.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
