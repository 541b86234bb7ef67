/** Rejects requests beyond the rate of their user or tenant. */
import { setTimeout as wait } from "node:timers/promises";
import { HeldShares } from "@cairn/agent";
import type { MiddlewareHandler } from "hono";
import type { RequestRate } from "../../shares/request-rate.ts";
import type { ServerEnvironment } from "../environment.ts";

const PAUSE_MS = 1_000;
const MAX_HELD = 32;

/**
 * Runs after `authenticate`. A rejection is sent after a pause, so that a client that does not wait cannot keep the
 * server busy. Only a limited number of requests of a user are held like this at a time; the others are rejected at
 * once.
 */
export function limitRequests(rate: RequestRate): MiddlewareHandler<ServerEnvironment> {
  const held = new HeldShares({ user: MAX_HELD, tenant: Infinity, total: Infinity });
  return async (context, next) => {
    const owner = context.get("scope");
    try {
      rate.note(owner);
    } catch (error) {
      if (held.reached(owner) === null) {
        held.take(owner);
        await wait(PAUSE_MS);
        held.give(owner);
      }
      throw error;
    }
    await next();
  };
}
