/** One figure of `npm run bench:tools`. */
export interface ToolMeasurement {
  /** What was measured: `corpus of 10000 files`. */
  readonly subject: string;
  readonly name: string;
  readonly value: number;
  readonly unit: "ms" | "MB" | "files/s" | "pages";
}
