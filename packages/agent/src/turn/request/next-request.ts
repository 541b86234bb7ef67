/**
 * The next request of a conversation, for display. The code that plans the requests of turns plans this one, so it has
 * the same tools and content. Pruning and compaction happen in memory only. A compaction uses the digest as its
 * summary, because only a model could write the prose. Hooks do not run, because they may change something outside the
 * conversation. Messages that no turn has taken yet are left out.
 */
import { Timeline, type TurnChoice } from "@cairn/timeline";
import type { AgentDefinition } from "../../definition/define-agent.ts";
import { equip } from "./equip.ts";
import type { PlannedRequest } from "./in-flight-request.ts";
import { planDecision } from "./plan-request.ts";
import { type RequestParts, requestContext } from "./request-context.ts";

export interface NextRequestOptions extends RequestParts {
  /** Finds the agent that the message of the open turn asked for. `turnId` is null when no turn is open. */
  readonly agent: (turnId: string | null, choice: TurnChoice) => Promise<AgentDefinition>;
}

export interface NextRequest extends PlannedRequest {
  readonly agent: AgentDefinition;
}

export async function nextRequest(options: NextRequestOptions): Promise<NextRequest> {
  const { store, key, countTokens, now } = options;
  const { state, timelineSeq } = await store.load(key);
  const chosen = await options.agent(state.openTurn, state.openTurnChoice);
  const { equipped } = await equip(chosen, key, new AbortController().signal);
  const journal = {
    timeline: Timeline.fromState(state, { clock: { now }, countTokens }),
    timelineSeq,
    commit: async () => undefined,
    commitIfNeeded: async () => undefined,
  };
  const context = await requestContext(options, equipped, state.openTurn, journal);
  const planned = await planDecision(context, {}, async () => undefined);
  return { ...planned, agent: context.agent };
}
