/** Creates a Cairn application. Loads all other code when `createCairn` is called. */
import type { CairnOptions } from "./define/cairn-options.ts";
import type { Cairn } from "./library/cairn.ts";

/** Opens the store and the agents, and continues turns that a stopped process left open. */
export async function createCairn(options: CairnOptions): Promise<Cairn> {
  const { checkNode } = await import("./library/check-node.ts");
  checkNode();
  const { keepCompiledCode } = await import("./library/compile-cache.ts");
  keepCompiledCode(import.meta.url);
  const { openCairn } = await import("./library/open-cairn.ts");
  return openCairn(options);
}
