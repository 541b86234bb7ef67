/** One figure of the benchmark, with `JSON.stringify` of the same data, in the same run and unit, beside it. */
export interface Measurement {
  readonly name: string;
  /** Length of the conversation; null where it plays no part. */
  readonly turns: number | null;
  readonly value: number;
  readonly unit: "ms" | "us" | "MB/s" | "bytes" | "count" | "MB";
  /** The time or size of `JSON.stringify`; null if there is no counterpart. */
  readonly json_stringify: number | null;
}
