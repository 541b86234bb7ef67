import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LONGEST } from "./longest-first.ts";
import { projectRoot } from "./run-command.ts";

it("names test files that are there, each once", () => {
  expect(LONGEST.filter((file) => !existsSync(join(projectRoot, file)))).toEqual([]);
  expect(new Set(LONGEST).size).toBe(LONGEST.length);
});
