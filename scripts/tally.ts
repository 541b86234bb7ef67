/** Counts of checks and tests, and the plain line that ends every run. */
export interface Tally {
  readonly passed: number;
  /** Names of what failed. */
  readonly failures: readonly string[];
  /** Names of what did not run. */
  readonly skips: readonly string[];
}

export function addTallies(a: Tally, b: Tally): Tally {
  return {
    passed: a.passed + b.passed,
    failures: [...a.failures, ...b.failures],
    skips: [...a.skips, ...b.skips],
  };
}

/** The result of a run in which every test must run: a skipped test counts as failed. */
export function countSkipsAsFailures({ passed, failures, skips }: Tally): Tally {
  return { passed, failures: [...failures, ...skips.map((name) => `skipped: ${name}`)], skips: [] };
}

export function closingLine({ passed, failures, skips }: Tally): string {
  const line = `${passed} passed, ${failures.length} failed`;
  return skips.length === 0 ? line : `${line}, ${skips.length} skipped`;
}

/** Lists notes, skipped and failed tests, then the closing line, alone and last; sets the exit code. */
export function reportTally(tally: Tally, notes: readonly string[] = []): void {
  console.log("");
  for (const note of notes) console.log(note);
  for (const name of tally.skips) console.log(`skipped: ${name}`);
  for (const name of tally.failures) console.log(`failed: ${name}`);
  console.log(closingLine(tally));
  process.exitCode = tally.failures.length === 0 ? 0 : 1;
}
