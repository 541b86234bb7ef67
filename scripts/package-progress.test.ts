import { expect, test } from "vitest";
import { describeDuration, PackageProgress } from "./package-progress.ts";

const passed = { passed: 3, failed: 0, skipped: 0, ms: 1_200 };

test("a package gets its line when its last file is done", () => {
  const progress = new PackageProgress(["packages/a/src/x.test.ts", "packages/a/e2e/y.test.ts", "bench/z.test.ts"]);
  expect(progress.finish("packages/a/src/x.test.ts", passed)).toBeNull();
  expect(progress.finish("bench/z.test.ts", passed)).toBe("✓ bench      3 passed in 1 file, 1 s");
  expect(progress.finish("packages/a/e2e/y.test.ts", { passed: 1, failed: 1, skipped: 2, ms: 60_000 })).toBe(
    "✗ a          4 passed, 1 failed, 2 skipped in 2 files, 1 min 1 s",
  );
  expect([progress.finished, progress.total]).toEqual([3, 3]);
});

test("a duration is said in seconds, and in minutes from one minute on", () => {
  expect([0, 59_400, 60_000, 125_000].map(describeDuration)).toEqual(["0 s", "59 s", "1 min 0 s", "2 min 5 s"]);
});
