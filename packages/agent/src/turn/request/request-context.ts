/**
 * Makes the context of a turn's requests from the journal, so that it is the same after a restart. A turn and
 * `nextRequest`, which shows the next request, use this context.
 */
import type { ConversationInfo } from "@cairn/store";
import { CairnError, type TimelineState } from "@cairn/timeline";
import { type Caller, callerOf } from "../../definition/caller.ts";
import type { AgentDefinition } from "../../definition/define-agent.ts";
import { readReasoning, readSettings, writeSettings } from "../../model/request-settings.ts";
import { readOutputSchema } from "../../output/output-schema.ts";
import { recallRequests } from "../../receipt/recall-requests.ts";
import { createRegistry, type ToolRegistry } from "../../tool/registry.ts";
import { budgetsFor } from "../state/budget.ts";
import { readEarlierLife, settingsOfTurn } from "../state/earlier-life.ts";
import { inSlices } from "../state/in-slices.ts";
import type { RequestContext, RequestJournal } from "../state/turn-context.ts";
import { TurnProgress } from "../state/turn-progress.ts";
import { chooseModel } from "./choose-model.ts";
import { offeredTools } from "./offered-tools.ts";
import { knownDescribed } from "./refused-files.ts";

export type RequestParts = Pick<RequestContext, "store" | "key" | "countTokens" | "now"> & {
  /** The time zone if the last message names none. */
  readonly timeZone?: string;
};

/** `turnId` is null if no turn is open. The request is then the first one of the next message's turn. */
export async function requestContext(
  { store, key, countTokens, now, timeZone }: RequestParts,
  equipped: AgentDefinition,
  turnId: string | null,
  journal: RequestJournal & { readonly timelineSeq: number },
): Promise<RequestContext> {
  const { timeline } = journal;
  const { state } = timeline;
  const { agent, fellBack, others } = chooseModel(equipped, state, turnId, now());
  const caller = callerOf(key, turnId ?? "", state.openTurnChoice);
  const registry = registryOf(agent);
  const earlier = readEarlierLife(state, turnId);
  await inSlices(timeline.renderInSteps());
  const cacheKey = cacheKeyOf(await store.getConversation(key));
  const recalled = await recallRequests({
    store,
    key,
    seq: journal.timelineSeq,
    state,
    view: timeline.render(turnId === null ? {} : { turnId }),
    model: agent.model,
    now: now(),
    cacheKey,
  });
  return {
    store,
    key,
    countTokens,
    now,
    timeZone,
    agent,
    cacheKey,
    caller,
    journal,
    registry,
    turnId,
    ...(await readTurnSettings(agent, state, turnId, caller)),
    specs: offeredTools(registry, state, agent),
    // The time between two attempts at the turn does not count, for example while it waits for approval.
    startedAt: now() - earlier.spent.elapsedMs,
    progress: new TurnProgress({
      earlier,
      recalled,
      fellBack,
      others,
      describes: knownDescribed(state, agent.model),
      sourcesKnown: state.pool.maxSid,
    }),
  };
}

/** A fork has the same beginning as its root, so it can use the root's entries in a provider's cache. */
function cacheKeyOf({ conversation, forked_from }: ConversationInfo): string {
  return forked_from?.root ?? conversation;
}

/** If settings are invalid, limits cannot be found, or a schema cannot be used, the turn ends with an error. */
async function readTurnSettings(
  agent: AgentDefinition,
  state: TimelineState,
  turnId: string | null,
  caller: Caller,
): Promise<Pick<RequestContext, "settings" | "output" | "budgets" | "settingsProblem">> {
  try {
    // The agent's settings are checked only by types so far, and a receipt with invalid settings is unreadable.
    if (agent.request !== undefined) readSettings(writeSettings(agent.request));
    const { output, reasoning } = state.openTurnChoice;
    return {
      settings: {
        ...readSettings(settingsOfTurn(state, turnId)),
        ...(reasoning === undefined ? {} : { reasoning: readReasoning(reasoning) }),
      },
      output: output === undefined ? null : readOutputSchema(output),
      budgets: await budgetsFor(agent, caller),
      settingsProblem: null,
    };
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    return { settings: {}, output: null, budgets: {}, settingsProblem: error };
  }
}

/** Invalid tools end the turn with an error, because its loop checks them before every other step. */
function registryOf({ tools = [], policies }: AgentDefinition): ToolRegistry {
  try {
    return createRegistry(tools, policies);
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    return createRegistry([]);
  }
}
