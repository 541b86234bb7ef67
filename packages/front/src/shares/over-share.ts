/** The error for an owner that reached a limit: which limit, whose it is, what to do, and when to retry. */
import type { ReachedLimit } from "@cairn/agent";
import { CairnError } from "@cairn/timeline";

/** The names of limits in `details.limit` of the error. */
export type LimitName = "requests" | "at_once" | "queue" | "followers" | "uploads" | "views" | "storage";

const WHAT: Readonly<Record<LimitName, string>> = {
  requests: "requests a second",
  at_once: "requests in progress",
  queue: "conversations that wait for their turn",
  followers: "open event streams",
  uploads: "bytes of uploads at a time",
  views: "characters of conversations being read at a time",
  storage: "bytes of storage",
};

const CURE: Readonly<Record<LimitName, string>> = {
  requests: "Send fewer requests per second.",
  at_once: "Wait until one of these requests is answered.",
  queue: "Wait until the turn of one of these conversations begins, then send the message again.",
  followers: "Close one of these event streams first.",
  uploads: "Wait until the other uploads are done, then send this again.",
  views: "Wait until the other answers have arrived, then send this again.",
  storage: "Delete conversations that are no longer needed.",
};

/** `retryAfter`: seconds to wait; left out where waiting does not help. */
export function overShare(limit: LimitName, { of, allowed, held }: ReachedLimit, retryAfter?: number): CairnError {
  const whose = { user: "One user", tenant: "All users of a tenant together", all: "All users together" }[of];
  const code =
    limit === "queue" || limit === "uploads" ? "queue_full" : limit === "storage" ? "storage_full" : "over_share";
  return new CairnError(code, `${whose} may have ${allowed} ${WHAT[limit]}. ${CURE[limit]}`, {
    limit,
    of,
    allowed,
    held,
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
  });
}
