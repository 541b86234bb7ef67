/** How a child process opens the store under test: any module that exports a function which returns one. */
import type { ConversationStore, StoreMaintenance } from "@cairn/store";

export interface StoreRecipe {
  /** URL of the module that opens the store. */
  readonly module: string;
  readonly export: string;
  /** The argument of the function: plain JSON. */
  readonly options: object;
  /** Difference between the child's clock and the real one. */
  readonly clockOffsetMs?: number;
}

export async function openByRecipe(recipe: StoreRecipe): Promise<ConversationStore & StoreMaintenance> {
  const module: Record<string, unknown> = await import(recipe.module);
  const open = module[recipe.export];
  if (typeof open !== "function") throw new Error(`${recipe.module} exports no function ${recipe.export}.`);
  const { clockOffsetMs: offset } = recipe;
  const clock = offset === undefined ? {} : { clock: { now: () => Date.now() + offset } };
  return open({ ...recipe.options, ...clock });
}
