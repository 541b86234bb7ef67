/**
 * The model that a turn begins with: the agent's own, or the fallback that answered last. The first turn that begins at
 * least two minutes after the failure tries the agent's own model again. The model's cache may still have the
 * conversation, because most providers keep entries for five minutes. Without the two minutes, each turn during an
 * outage would make five failed attempts.
 */
import type { TimelineState } from "@cairn/timeline";
import type { AgentDefinition } from "../../definition/define-agent.ts";
import type { Model } from "../../model/model.ts";
import { readRequestRecord } from "../../receipt/request-record.ts";
import { type FellBack, readFellBack } from "../state/earlier-life.ts";

const HOLD_MS = 120_000;

export interface ChosenModel {
  readonly agent: AgentDefinition;
  readonly fellBack: FellBack | null;
  /** Fallback models that may be tried when the current model fails. */
  readonly others: Model[];
}

/** The model with which a turn begins, or continues after a restart. */
export function chooseModel(
  agent: AgentDefinition,
  { lastReceipt }: TimelineState,
  turnId: string | null,
  now: number,
): ChosenModel {
  const all = [agent.model, ...(agent.fallback ?? [])];
  const fellBack = lastReceipt === null ? null : readFellBack(lastReceipt.fell_back);
  const last = lastReceipt === null ? null : readRequestRecord(lastReceipt).model;
  const stays = fellBack?.from === agent.model.id && (lastReceipt?.turn_id === turnId || now - fellBack.at < HOLD_MS);
  const model = (stays ? all.find(({ id }) => id === last) : undefined) ?? agent.model;
  return {
    agent: model === agent.model ? agent : { ...agent, model },
    fellBack: model === agent.model ? null : fellBack,
    others: all.filter((each) => each !== model),
  };
}
