/** What the cache simulator is fed with. */
import type { DescribedRequest } from "@cairn/timeline";

/** A request as a cache sees it, and when it was sent, in seconds. */
export interface TimedRequest extends DescribedRequest {
  readonly t: number;
}
