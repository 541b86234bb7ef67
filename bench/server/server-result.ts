/** One figure of the server's benchmark. */
export interface ServerResult {
  readonly name: string;
  readonly value: number;
  readonly unit: "turns/s" | "requests/s" | "ms" | "KB" | "MB" | "count" | "ratio" | "%";
}

/** The smallest value that is at least as large as this share of the values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
