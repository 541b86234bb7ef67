/** Processes that open a new store: killed while they create it, or all of them at once. */
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type ChildExit, runChild, startChild } from "./child-process.ts";
import type { CrashOrder } from "./crash-writer.ts";
import type { StoreRecipe } from "./store-recipe.ts";

const WRITER = new URL("./crash-writer.ts", import.meta.url);
const keyOf = (conversation: string) => ({ tenant: "t", project: "p", user: "u", conversation });

/** Kills a first process `delayMs` after it began to create `file`. */
export async function killFirstStart(recipe: StoreRecipe, file: string, delayMs: number): Promise<ChildExit> {
  const order: CrashOrder = { recipe, key: keyOf("first"), life: 1 };
  const child = startChild(WRITER, order);
  while (!existsSync(file) && child.process.exitCode === null) await sleep(0);
  await sleep(delayMs);
  child.process.kill("SIGKILL");
  return child.exited;
}

/** Starts processes at once, each of which creates a conversation and appends `batches` to it; returns their lines. */
export function startTogether(recipe: StoreRecipe, count: number, batches: number): Promise<string[][]> {
  return Promise.all(
    Array.from({ length: count }, (_, n) => {
      const order: CrashOrder = { recipe, key: keyOf(`process ${n}`), life: n, batches };
      return runChild(WRITER, order);
    }),
  );
}
