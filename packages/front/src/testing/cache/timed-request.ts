/** The input of the cache simulator. */
import type { Breakpoint } from "@cairn/timeline";
import type { DescribedBlock } from "./described-block.ts";

/** A request as a cache sees it, and when it was sent, in seconds. */
export interface TimedRequest {
  readonly t: number;
  readonly blocks: readonly DescribedBlock[];
  readonly breakpoints: readonly Breakpoint[];
}
