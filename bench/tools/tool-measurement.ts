/** One figure of `npm run bench:tools`. */
export interface ToolMeasurement {
  /** The measured thing, such as `corpus of 10000 files`. */
  readonly subject: string;
  readonly name: string;
  readonly value: number;
  readonly unit: "ms" | "MB" | "files/s" | "pages";
}
