/** The error for a message if its conversation has no place in the queue. */
import type { ReachedLimit } from "@cairn/agent";
import type { CairnError } from "@cairn/timeline";
import { overShare } from "../shares/over-share.ts";

const RETRY_SECONDS = 2;

export function queueFull(reached: ReachedLimit): CairnError {
  return overShare("queue", reached, RETRY_SECONDS);
}
