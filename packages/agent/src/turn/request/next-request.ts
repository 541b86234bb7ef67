/** The next request of a conversation, for display: nothing is pruned or compacted. */
import { type CountTokens, Timeline, type TimelineState } from "@cairn/timeline";
import type { AgentDefinition } from "../../definition/define-agent.ts";
import { nativeProtocol } from "../../protocol/native-protocol.ts";
import { createRegistry } from "../../tool/registry.ts";
import { NOTHING_SPENT } from "../state/budget.ts";
import { readEarlierLife } from "../state/earlier-life.ts";
import { announceRequest } from "./announce-request.ts";

export interface NextRequestOptions {
  readonly countTokens: CountTokens;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly timeZone?: string;
}

export function nextRequest(state: TimelineState, agent: AgentDefinition, options: NextRequestOptions) {
  const { countTokens, now, timeZone } = options;
  const timeline = Timeline.fromState(state, { clock: { now: () => now }, countTokens });
  const turnId = state.openTurn;
  const spent = turnId === null ? NOTHING_SPENT : readEarlierLife(state, turnId).spent;
  const render = announceRequest(timeline, agent, {
    ...{ turnId, spent, elapsedMs: spent.elapsedMs, now, timeZone, notices: [] },
  });
  const view = timeline.render({ ...render, maxTokens: agent.model.contextTokens });
  const specs = nativeProtocol.specs(createRegistry(agent.tools ?? []).specs());
  return { system: agent.instructions, tools: JSON.stringify(specs), view };
}
