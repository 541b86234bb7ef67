/** The announcement of a request: the progress of the turn, the time, the plan, and one-time notices. */
import { type Block, composeAnnouncement, findActivePlan, type TimelineState } from "@cairn/timeline";
import type { Budgets } from "../../definition/define-agent.ts";
import { describeBudget, iterationLimit, type Spent } from "../state/budget.ts";
import { timeZoneSaid } from "./time-zone.ts";

export interface Announced {
  readonly state: TimelineState;
  readonly budgets: Budgets;
  readonly spent: Spent;
  readonly elapsedMs: number;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Used if the last message has no time zone. */
  readonly timeZone: string | undefined;
  readonly notices: readonly string[];
}

export function requestAnnouncement(announced: Announced): Block {
  const { state, budgets, spent, elapsedMs, now, notices } = announced;
  const timeZone = timeZoneSaid(state) ?? announced.timeZone;
  const limit = iterationLimit(budgets);
  const budget = describeBudget(spent, budgets);
  return composeAnnouncement({
    iteration: { current: Math.min(spent.iterations + 1, limit), limit },
    ...(budget === undefined ? {} : { budget }),
    elapsedMs,
    now,
    ...(timeZone === undefined ? {} : { timeZone }),
    activePlan: findActivePlan(state),
    notices,
  });
}
