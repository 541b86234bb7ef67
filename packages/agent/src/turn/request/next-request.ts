/** The next request of a conversation, for display: nothing is pruned or compacted. */
import type { ConversationKey } from "@cairn/store";
import { type CountTokens, Timeline, type TimelineState } from "@cairn/timeline";
import { callerOf } from "../../definition/caller.ts";
import type { AgentDefinition } from "../../definition/define-agent.ts";
import { createRegistry } from "../../tool/registry.ts";
import { budgetsFor, NOTHING_SPENT } from "../state/budget.ts";
import { readEarlierLife } from "../state/earlier-life.ts";
import { announceRequest } from "./announce-request.ts";
import { offeredTools } from "./offered-tools.ts";

export interface NextRequestOptions {
  readonly countTokens: CountTokens;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly timeZone?: string;
  readonly key: ConversationKey;
}

export async function nextRequest(state: TimelineState, agent: AgentDefinition, options: NextRequestOptions) {
  const { countTokens, now, timeZone, key } = options;
  const timeline = Timeline.fromState(state, { clock: { now: () => now }, countTokens });
  const turnId = state.openTurn;
  const spent = turnId === null ? NOTHING_SPENT : readEarlierLife(state, turnId).spent;
  const caller = callerOf(key, turnId ?? "", state.openTurnChoice);
  const render = announceRequest(timeline, agent, {
    turnId,
    spent,
    elapsedMs: spent.elapsedMs,
    now,
    timeZone,
    notices: [],
    caller,
    budgets: await budgetsFor(agent, caller),
  });
  const view = timeline.render({ ...render, maxTokens: agent.model.contextTokens });
  const specs = offeredTools(createRegistry(agent.tools ?? []), state, agent);
  return { system: agent.instructions, tools: JSON.stringify(specs), view };
}
