/**
 * Prints the content of golden files: the model's view of some blocks as `debugPrint` writes it. The clock is fixed and
 * a token is four characters, so only the engine can change a golden file. Checkpoints are those of the `seed`
 * strategy, which is fixed; `economic` may move them whenever that pays.
 */
import type { Block } from "../src/block/block.ts";
import { debugPrint } from "../src/render/debug-print.ts";
import type { RenderOptions } from "../src/render/render.ts";
import type { SourceInput } from "../src/sources/row.ts";
import { Timeline } from "../src/timeline.ts";

const deps = {
  clock: { now: () => 1_770_603_272_676 },
  countTokens: (text: string) => Math.ceil(text.length / 4),
};

export interface Scene {
  readonly blocks: readonly Block[];
  readonly sources?: readonly SourceInput[];
  readonly announce?: readonly Block[];
  readonly options?: RenderOptions;
}

export function printView({ blocks, sources = [], announce = [], options = {} }: Scene): string {
  const timeline = Timeline.create(deps);
  timeline.contribute(blocks);
  timeline.mergeSources(sources);
  timeline.announce(announce);
  return debugPrint(timeline.render({ strategy: "seed", ...options }));
}

/** The view of a stored payload, including its overlays. */
export function printPayload(blocks: readonly Block[], options: RenderOptions = {}): string {
  return debugPrint(Timeline.fromPayload({ version: 1, blocks }, [], deps).render({ strategy: "seed", ...options }));
}
