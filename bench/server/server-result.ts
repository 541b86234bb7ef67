/** One figure of the server's benchmark. */
export interface ServerResult {
  readonly name: string;
  readonly value: number;
  readonly unit: "turns/s" | "requests/s" | "ms" | "KB" | "MB" | "count" | "ratio";
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
