/** Creates a Cairn application. Loads almost all other code when `createCairn` is called. */
import type { CairnOptions } from "./define/cairn-options.ts";
import type { Cairn } from "./library/cairn.ts";
import { checkNode } from "./library/check-node.ts";
import { keepCompiledCode } from "./library/compile-cache.ts";

/** Opens the store and the agents, and continues turns that a stopped process left open. */
export async function createCairn(options: CairnOptions): Promise<Cairn> {
  checkNode();
  keepCompiledCode(import.meta.url);
  const { openCairn } = await import("./library/open-cairn.ts");
  return openCairn(options);
}
