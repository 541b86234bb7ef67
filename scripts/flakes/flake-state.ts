/**
 * The progress of a hunt for flaky tests, as lines of JSON: first its options, then one line for each test file that
 * ran. A line is written when its file is done, so that a stopped hunt continues from there.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Hunt {
  readonly load: number;
  readonly files: readonly string[];
}

export interface FileRun {
  readonly round: number;
  readonly file: string;
  readonly passed: boolean;
  readonly ms: number;
}

/** The name of no real file: errors outside of tests are recorded under it. */
export const OUTSIDE = "(outside any test)";

export class FlakeState {
  readonly #path: string;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#path = join(folder, "flakes.jsonl");
  }

  /** The recorded progress of this hunt; null if the last hunt was different, or there was none. */
  resume(hunt: Hunt): readonly FileRun[] | null {
    if (!existsSync(this.#path)) return null;
    const [first = "", ...lines] = readFileSync(this.#path, "utf8").split("\n");
    if (first !== JSON.stringify(hunt)) return null;
    // A line that was incomplete when the machine stopped is left out.
    return lines.filter((line) => line.endsWith("}")).map((line) => JSON.parse(line));
  }

  begin(hunt: Hunt): void {
    writeFileSync(this.#path, `${JSON.stringify(hunt)}\n`);
  }

  record(run: FileRun): void {
    appendFileSync(this.#path, `${JSON.stringify(run)}\n`);
  }
}

/** The files that a round still has to run. */
export function filesLeft({ files }: Hunt, runs: readonly FileRun[], round: number): readonly string[] {
  const done = new Set(runs.filter((run) => run.round === round).map(({ file }) => file));
  return files.filter((file) => !done.has(file));
}
