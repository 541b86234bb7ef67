/** One addition of each kind. `npm run house` lists the files that each addition creates or changes. */
import type { Addition } from "./addition.ts";
import { blockType } from "./block-type.ts";
import { command } from "./command.ts";
import { inspectorTab } from "./inspector-tab.ts";
import { lowering } from "./lowering.ts";
import { provider } from "./provider.ts";
import { setting } from "./setting.ts";
import { storeBackEnd } from "./store-back-end.ts";
import { tool } from "./tool.ts";

export const ADDITIONS: readonly Addition[] = [
  blockType,
  tool,
  provider,
  lowering,
  inspectorTab,
  command,
  setting,
  storeBackEnd,
];
