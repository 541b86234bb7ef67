/**
 * What a request announces (the progress of the turn, the time, the plan, one-time notices), and how its timeline is
 * rendered. A turn and `nextRequest`, which shows a request before it is made, both begin here.
 */
import { composeAnnouncement, findActivePlan, type RenderOptions, type Timeline } from "@cairn/timeline";
import { renderSettings } from "../../definition/agent-memory.ts";
import type { AgentDefinition } from "../../definition/define-agent.ts";
import { describeBudget, iterationLimit, type Spent } from "../state/budget.ts";
import { timeZoneSaid } from "./time-zone.ts";

export interface Announced {
  /** Null when no turn is open. */
  readonly turnId: string | null;
  readonly spent: Spent;
  readonly elapsedMs: number;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Used if the last message has no time zone. */
  readonly timeZone: string | undefined;
  readonly notices: readonly string[];
}

export function announceRequest(timeline: Timeline, agent: AgentDefinition, announced: Announced): RenderOptions {
  const { turnId, spent, elapsedMs, now, notices } = announced;
  const budgets = agent.budgets ?? {};
  const timeZone = timeZoneSaid(timeline.state) ?? announced.timeZone;
  const limit = iterationLimit(budgets);
  const budget = describeBudget(spent, budgets);
  timeline.announce([
    composeAnnouncement({
      iteration: { current: Math.min(spent.iterations + 1, limit), limit },
      ...(budget === undefined ? {} : { budget }),
      elapsedMs,
      now,
      ...(timeZone === undefined ? {} : { timeZone }),
      activePlan: findActivePlan(timeline.state),
      notices,
    }),
  ]);
  return { ...renderSettings(agent), ...(turnId === null ? {} : { turnId }) };
}
