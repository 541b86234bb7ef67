/** The shared context of the parts of a turn, and the part of it that a request depends on. */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import type { CairnError, CountTokens, Ids, Timeline } from "@cairn/timeline";
import type { Caller } from "../../definition/caller.ts";
import type { AgentDefinition, Budgets } from "../../definition/define-agent.ts";
import type { ToolSpec } from "../../model/model.ts";
import type { RequestSettings } from "../../model/request-settings.ts";
import type { OutputSchema } from "../../output/output-schema.ts";
import type { ToolRegistry } from "../../tool/registry.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { LiveCitations, TurnListener } from "./listener.ts";
import type { TurnJournal } from "./turn-journal.ts";
import type { TurnProgress } from "./turn-progress.ts";

/** Everything that a request depends on. `nextRequest` makes this context without running a turn. */
export interface RequestContext {
  /** The agent of the turn. While a fallback answers, it contains the fallback model. */
  agent: AgentDefinition;
  readonly store: ConversationStore;
  readonly key: ConversationKey;
  readonly caller: Caller;
  /** The agent's limits for this caller. */
  readonly budgets: Budgets;
  /** The key by which a provider may route requests to a cache: the first conversation of the chain of forks. */
  readonly cacheKey: string;
  readonly journal: RequestJournal;
  readonly registry: ToolRegistry;
  /** The tools offered to the model, in a fixed order. */
  readonly specs: readonly ToolSpec[];
  readonly countTokens: CountTokens;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly timeZone: string | undefined;
  /** The open turn; null when no turn is open. */
  readonly turnId: string | null;
  /** The schema of the answer that the turn's message asks for; null if the message asks for text. */
  readonly output: OutputSchema | null;
  /** Settings of the turn's message. */
  readonly settings: RequestSettings;
  /** The problem with the settings or the schema; null if there is none. */
  readonly settingsProblem: CairnError | null;
  readonly startedAt: number;
  /** The part of the context that changes during the turn. */
  readonly progress: TurnProgress;
}

/** The timeline of a request, with functions that store changes by pruning and compaction. */
export interface RequestJournal {
  readonly timeline: Timeline;
  commit(): Promise<void>;
  commitIfNeeded(): Promise<void>;
}

export interface TurnContext extends RequestContext {
  readonly journal: TurnJournal;
  readonly workspace: Workspace;
  readonly ids: Ids;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  readonly listener: TurnListener;
  readonly citations: LiveCitations;
  readonly turnId: string;
}
