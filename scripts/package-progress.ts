/** Counts the test files of each package as they finish, and makes the line that is printed when a package is done. */
export interface FileOutcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly ms: number;
}

interface PackageCount extends FileOutcome {
  readonly files: number;
  readonly left: number;
}

const NONE: PackageCount = { passed: 0, failed: 0, skipped: 0, ms: 0, files: 0, left: 0 };
const NAME_WIDTH = 10;

export class PackageProgress {
  readonly total: number;
  finished = 0;
  readonly #packages = new Map<string, PackageCount>();

  constructor(files: readonly string[]) {
    this.total = files.length;
    for (const file of files) {
      const count = this.#packages.get(packageOf(file)) ?? NONE;
      this.#packages.set(packageOf(file), { ...count, files: count.files + 1, left: count.left + 1 });
    }
  }

  /** The line of the file's package if this was the package's last file; otherwise null. */
  finish(file: string, outcome: FileOutcome): string | null {
    const name = packageOf(file);
    const before = this.#packages.get(name) ?? NONE;
    const count: PackageCount = {
      files: before.files,
      left: before.left - 1,
      passed: before.passed + outcome.passed,
      failed: before.failed + outcome.failed,
      skipped: before.skipped + outcome.skipped,
      ms: before.ms + outcome.ms,
    };
    this.#packages.set(name, count);
    this.finished++;
    return count.left > 0 ? null : describePackage(name, count);
  }
}

export function describeDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `packages/store/src/x.test.ts` belongs to `store`, `bench/x.test.ts` to `bench`. */
function packageOf(file: string): string {
  const [top = "", below = ""] = file.split("/");
  return top === "packages" ? below : top;
}

function describePackage(name: string, { files, passed, failed, skipped, ms }: PackageCount): string {
  const counts = [`${passed} passed`];
  if (failed > 0) counts.push(`${failed} failed`);
  if (skipped > 0) counts.push(`${skipped} skipped`);
  const mark = failed > 0 ? "✗" : "✓";
  const inFiles = `in ${files} ${files === 1 ? "file" : "files"}`;
  return `${mark} ${name.padEnd(NAME_WIDTH)} ${counts.join(", ")} ${inFiles}, ${describeDuration(ms)}`;
}
