import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { keepChosenModel, readChosenModel } from "./chosen-model.ts";

it("the chosen model is kept until another one or the agent's own is chosen, and ignored if the settings lack it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cairn-model-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  expect(await readChosenModel(folder, ["a", "b"])).toBeNull();
  await keepChosenModel(folder, "a");
  await keepChosenModel(folder, "b");
  expect(await readChosenModel(folder, ["a", "b"])).toBe("b");
  expect(await readChosenModel(folder, ["a"])).toBeNull();
  await keepChosenModel(folder, null);
  expect(await readChosenModel(folder, ["a", "b"])).toBeNull();
});
