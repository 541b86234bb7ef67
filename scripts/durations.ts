/** Folder in which test runs store data for later runs. Git ignores the folder. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./run-command.ts";

export const TESTS_FOLDER = join(projectRoot, ".tests");
const DURATIONS = join(TESTS_FOLDER, "durations.json");

export type Durations = Readonly<Record<string, number>>;

/** Milliseconds that each test file took when it last ran, by its path from the root. */
export function readDurations(): Durations {
  try {
    return JSON.parse(readFileSync(DURATIONS, "utf8"));
  } catch (error) {
    if (Object(error).code === "ENOENT") return {};
    throw error;
  }
}

export function saveDurations(durations: Durations): void {
  mkdirSync(TESTS_FOLDER, { recursive: true });
  writeFileSync(DURATIONS, JSON.stringify({ ...readDurations(), ...durations }, null, 2));
}
