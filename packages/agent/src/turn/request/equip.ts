/** Finds the agent's tools for the user. If they cannot be found, the turn runs without them and tells the model. */
import type { Scope } from "@cairn/store";
import type { AgentDefinition } from "../../definition/define-agent.ts";
import { withFoundTools } from "../../definition/with-found-tools.ts";
import { clipMessage, toolFailure } from "../../tool/tool-failure.ts";
import { isPassing } from "../state/passing-error.ts";

export interface Equipped {
  readonly equipped: AgentDefinition;
  /** A sentence for the model; null when all tools were found. */
  readonly problem: string | null;
}

export async function equip(agent: AgentDefinition, owner: Scope, signal: AbortSignal): Promise<Equipped> {
  try {
    return { equipped: await withFoundTools(agent, owner, signal), problem: null };
  } catch (error) {
    signal.throwIfAborted();
    if (isPassing(error)) throw error;
    return { equipped: agent, problem: `Some tools could not be found: ${clipMessage(toolFailure(error).message)}` };
  }
}
