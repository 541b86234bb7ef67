import { defineConfig } from "vitest/config";
import LongestFirst from "./scripts/longest-first.ts";

const long = process.env.CAIRN_LONG === "1";
const minute = 60_000;

export default defineConfig({
  test: {
    include: ["packages", "examples", "bench", "scripts"].map((folder) => `${folder}/**/*.test.{ts,tsx}`),
    // Property tests do a hundred times the work in long mode.
    testTimeout: long ? 180 * minute : 5 * minute,
    hookTimeout: long ? 10 * minute : 5 * minute,
    // What is polled for comes at once on a quiet machine; vitest's own second is too short for a busy one.
    expect: { poll: { timeout: minute } },
    sequence: { sequencer: LongestFirst },
    // Three also on two cores: many files wait for processes, timers and disks. Tests that compare running times count
    // those of the processor, and compare again when the machine was busy.
    maxWorkers: 3,
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.{ts,tsx}"],
      exclude: ["**/*.test.{ts,tsx}"],
      reporter: ["text-summary", "html"],
    },
  },
});
