/** Composes the announcement of a request (progress, time, plan, one-time notices) and renders the timeline with it. */
import {
  type Block,
  CairnError,
  composeAnnouncement,
  findActivePlan,
  type RenderOptions,
  type Timeline,
} from "@cairn/timeline";
import { renderSettings } from "../../definition/agent-memory.ts";
import type { Caller } from "../../definition/caller.ts";
import type { AgentDefinition, Budgets } from "../../definition/define-agent.ts";
import { describeBudget, iterationLimit, type Spent } from "../state/budget.ts";
import { timeZoneSaid } from "./time-zone.ts";

export interface Announced {
  /** The open turn; null when no turn is open. */
  readonly turnId: string | null;
  readonly spent: Spent;
  readonly elapsedMs: number;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The time zone if the last message names none. */
  readonly timeZone: string | undefined;
  readonly notices: readonly string[];
  readonly caller: Caller;
  readonly budgets: Budgets;
}

export function announceRequest(timeline: Timeline, agent: AgentDefinition, announced: Announced): RenderOptions {
  const { turnId, spent, elapsedMs, now, notices, budgets } = announced;
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
    ...aboutCaller(agent, announced.caller),
  ]);
  return { ...renderSettings(agent), ...(turnId === null ? {} : { turnId }) };
}

/** Throws `bad_announce`, which ends the turn: without the text about the caller, the model might answer wrongly. */
function aboutCaller({ name, announce }: AgentDefinition, caller: Caller): Block[] {
  if (announce === undefined) return [];
  try {
    const text: unknown = announce(caller);
    if (typeof text !== "string") throw new TypeError("it must return a string");
    return text === "" ? [] : [{ type: "react.announce", text }];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CairnError("bad_announce", `The function \`announce\` of the agent ${name} failed: ${why}`);
  }
}
