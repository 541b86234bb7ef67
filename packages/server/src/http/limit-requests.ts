/** Rejects requests beyond the rate of their user or tenant. */
import { setTimeout as wait } from "node:timers/promises";
import { HeldShares } from "@cairn/agent";
import type { Scope } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import { overShare } from "cairn-agent/turns";
import type { Context } from "hono";
import type { RequestRate } from "../shares/request-rate.ts";
import type { ServerEnvironment } from "./environment.ts";

const PAUSE_MS = 1_000;
/**
 * Maximum number of a user's rejections that are delayed. A client usually has fewer connections, so a client that
 * retries at once gets one rejection a second on each.
 */
const MAX_HELD = 256;
const MAX_GOING = 64;
const MAX_STOPPING = 8;
const STOP = /^\/api\/conversations\/[^/]+\/cancel$/;

/**
 * Maximum number of a user's requests in progress. Open streams do not count. `/mcp` counts calls until their streams
 * end, with the same limit. Without tokens there is only one user and no limit.
 */
export function requestsAtOnce(rate: RequestRate): number {
  return rate.isLimited ? MAX_GOING : Infinity;
}

/**
 * Runs after `authenticate`. A rejection is sent after a pause, so that a client that does not wait cannot keep the
 * server busy. Only a limited number of a user's rejections is delayed; the others are sent at once. A user with too
 * many requests in progress is also rejected at once. A request that stops a turn is delayed and not rejected, so that
 * a client over its limit can still stop a turn.
 *
 * Returns a function that must be called when the request is finished.
 */
export function limitRequests(rate: RequestRate) {
  const held = new HeldShares({ user: MAX_HELD, tenant: Infinity, total: Infinity });
  const going = new HeldShares({ user: requestsAtOnce(rate), tenant: Infinity, total: Infinity });
  const stopping = new HeldShares({ user: MAX_STOPPING, tenant: Infinity, total: Infinity });
  return async (context: Context<ServerEnvironment>): Promise<() => void> => {
    const owner = context.get("scope");
    const stops = context.req.method === "POST" && STOP.test(context.req.path) && stopping.reached(owner) === null;
    if (stops) return takePlace(stopping, owner, () => orAfterPause(() => rate.note(owner)));
    try {
      rate.note(owner);
      const reached = going.reached(owner);
      if (reached !== null) throw overShare("at_once", reached, 1);
    } catch (error) {
      if (held.reached(owner) === null) (await takePlace(held, owner, () => wait(PAUSE_MS)))();
      throw error;
    }
    return takePlace(going, owner);
  };
}

async function orAfterPause(check: () => void): Promise<void> {
  try {
    check();
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    await wait(PAUSE_MS);
  }
}

/** Counts a request as in progress while `work` runs, and after that until the returned function is called. */
async function takePlace(places: HeldShares, owner: Scope, work = async () => {}): Promise<() => void> {
  places.take(owner);
  try {
    await work();
  } catch (error) {
    places.give(owner);
    throw error;
  }
  return () => places.give(owner);
}
