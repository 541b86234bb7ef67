/** One figure of the benchmark, with the figure of `JSON.stringify` for the same data, in the same run and unit. */
export interface Measurement {
  readonly name: string;
  /** Length of the conversation; null if the figure does not depend on it. */
  readonly turns: number | null;
  readonly value: number;
  readonly unit: "ms" | "us" | "MB/s" | "bytes" | "count" | "MB";
  /** The time or size of `JSON.stringify`; null if there is no counterpart. */
  readonly json_stringify: number | null;
}
