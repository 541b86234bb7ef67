/**
 * Fallback models for a turn whose model cannot answer, because it is overloaded for too long, unreachable or unknown,
 * or rejects the key or the request. The agent's fallbacks are tried in order, and the one that answers is used until
 * the end of the turn.
 */
import { CairnError } from "@cairn/timeline";
import { checkAgentFits } from "../../definition/check-agent-fits.ts";
import type { AgentDefinition } from "../../definition/define-agent.ts";
import type { Model } from "../../model/model.ts";
import type { ModelError } from "../../model/model-error.ts";
import { recallRequests } from "../../receipt/recall-requests.ts";
import { knownDescribed } from "../request/refused-files.ts";
import { nextNumber } from "../state/taken-paths.ts";
import type { TurnContext } from "../state/turn-context.ts";

const MAX_REASON_LENGTH = 300;

/** Switches the turn to the next model whose window is large enough; returns false when there is none. */
export async function fallBack(context: TurnContext, error: ModelError): Promise<boolean> {
  const { cacheKey, countTokens, journal, key, now, progress, store, turnId } = context;
  const failed = context.agent.model;
  for (let model = progress.takeOther(); model !== undefined; model = progress.takeOther()) {
    const agent = { ...context.agent, model };
    if (!hasRoom(agent, countTokens)) continue;
    const { state } = journal.timeline;
    journal.timeline.contribute([notice(context, `${describe(failed, error)} ${model.id} answers instead.`)]);
    await journal.commit();
    const view = journal.timeline.render({ turnId });
    const recalled = { store, key, seq: journal.timelineSeq, state, view, model, now: now(), cacheKey };
    const { memory } = await recallRequests(recalled);
    progress.fallBack(failed.id, now(), memory, knownDescribed(state, model));
    context.agent = agent;
    return true;
  }
  return false;
}

/** Whether there is another model that may answer. */
export function hasFallback({ agent, countTokens, progress }: TurnContext): boolean {
  return progress.others.some((model) => hasRoom({ ...agent, model }, countTokens));
}

function hasRoom(agent: AgentDefinition, countTokens: TurnContext["countTokens"]): boolean {
  try {
    checkAgentFits(agent, countTokens);
    return true;
  } catch (error) {
    if (CairnError.is(error) && error.code === "context_too_small") return false;
    throw error;
  }
}

function describe({ id }: Model, { message }: ModelError): string {
  const reason = message.slice(0, MAX_REASON_LENGTH).toWellFormed().trim();
  return `${id} could not answer: ${reason}${/[.!?]$/.test(reason) ? "" : "."}`;
}

/** A notice for the user and for the next model. */
function notice({ journal, turnId }: TurnContext, message: string) {
  const prefix = `ar:${turnId}.react.notice`;
  return {
    type: "react.notice",
    author: "system",
    turn_id: turnId,
    mime: "application/json",
    path: `${prefix}.${nextNumber(journal.timeline.state, turnId, prefix)}`,
    text: JSON.stringify({ code: "model_fallback", message }),
  };
}
