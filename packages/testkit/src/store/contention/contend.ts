/** Lets several processes contend for one conversation and collects what each of them saw. */
import type { ConversationKey } from "@cairn/store";
import { lineOf, startChild } from "../crash/child-process.ts";
import type { StoreRecipe } from "../crash/store-recipe.ts";
import type { ContenderOrder, ContenderReport } from "./contender.ts";

const CONTENDER = new URL("./contender.ts", import.meta.url);

export async function contend(
  recipes: readonly StoreRecipe[],
  key: ConversationKey,
  updates: number,
  ttlMs: number,
): Promise<ContenderReport[]> {
  const children = recipes.map((recipe, n) => {
    const order: ContenderOrder = { recipe, key, name: `p${n}`, updates, ttlMs };
    return startChild(CONTENDER, order);
  });
  // All contenders begin at the same moment, however long they took to start.
  await Promise.all(children.map((child) => lineOf(child, (line) => line === "ready")));
  for (const child of children) child.process.stdin?.write("go\n");
  const exits = await Promise.all(children.map((child) => child.exited));
  return exits.map(({ code, signal, lines, stderr }) => {
    if (code !== 0) throw new Error(`A contender ended with ${signal ?? code}: ${stderr}`);
    return JSON.parse(lines.at(-1) ?? "");
  });
}
