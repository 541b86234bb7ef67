/** The input of the cache simulator. */
import type { DescribedRequest } from "@cairn/timeline";

/** A request as a cache sees it, and when it was sent, in seconds. */
export interface TimedRequest extends DescribedRequest {
  readonly t: number;
}
