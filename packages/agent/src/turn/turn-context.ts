/** What the parts of a turn share. */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import type {
  CairnError,
  CountTokens,
  DeclaredReset,
  FileKind,
  FileLimits,
  Ids,
  RefusedRequest,
  RenderedView,
  RenderOptions,
  RequestChain,
} from "@cairn/timeline";
import type { AgentDefinition } from "../define-agent.ts";
import type { TitleAnswer } from "../gate/title.ts";
import type { Model, ToolSpec } from "../model/model.ts";
import type { RequestSettings } from "../model/request-settings.ts";
import type { DecisionPiece } from "../protocol/decision.ts";
import type { Unfinished } from "../protocol/unfinished.ts";
import type { CacheMemory } from "../request/cache-memory.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Spent } from "./budget.ts";
import type { FellBack } from "./earlier-life.ts";
import type { LiveCitations, TurnListener } from "./listener.ts";
import type { TurnJournal } from "./turn-journal.ts";

export interface TurnContext {
  /** Its model is another one while a fallback answers. */
  agent: AgentDefinition;
  readonly store: ConversationStore;
  readonly key: ConversationKey;
  /** By what a provider may route requests to a cache: the conversation that the chain of forks began with. */
  readonly cacheKey: string;
  readonly journal: TurnJournal;
  readonly registry: ToolRegistry;
  /** What the model is offered, in a fixed order. */
  readonly specs: readonly ToolSpec[];
  readonly workspace: Workspace;
  readonly ids: Ids;
  readonly countTokens: CountTokens;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly timeZone: string | undefined;
  readonly listener: TurnListener;
  readonly citations: LiveCitations;
  readonly turnId: string;
  /** What the message of the turn brought. */
  readonly settings: RequestSettings;
  /** What is wrong with them; null for nothing. */
  readonly settingsProblem: CairnError | null;
  readonly startedAt: number;
  /** Changes as the turn goes on. */
  readonly progress: TurnProgress;
}

/** A decision that is being shown while the model makes it. */
export interface LiveDecision {
  /** Everything so far, as it came: what was said, then each text a call was going to write, under its path. */
  readonly partial: string;
  /** Streams by the number of the call whose text they hold. */
  readonly ofCalls: ReadonlyMap<number, string>;
  take(piece: DecisionPiece): void;
  /** Shows what was held back and waits for what is being kept. */
  end(): Promise<void>;
}

interface TurnProgress {
  spent: Spent;
  /** The last request, to make receipts against; null when there is none that could be gone on from. */
  chain: RequestChain | null;
  /** What the provider's cache holds of the conversation. */
  memory: CacheMemory;
  /** What the previous request sent, where this process made it. */
  previousView: RenderedView | null;
  /** References of the texts this process has stored for receipts. */
  readonly keptTexts: Set<string>;
  /** Texts to announce with the next request that is answered, then never again. */
  notices: string[];
  /** A request that was refused as too large, until a receipt tells of it. */
  refused: RefusedRequest | null;
  /** What has changed the prefix since the last request that was answered; its receipt declares it. */
  resets: DeclaredReset[];
  /** The title that was asked for; null when none is awaited. */
  title: Promise<TitleAnswer | null> | null;
  /** Kinds of files the model does not take, as far as it is known or was learned from its errors. */
  describes: Set<FileKind>;
  /** The highest SID when the last request was rendered: what it produces can cite no later source. */
  sourcesKnown: number;
  /** How many files the model takes, where its error told; null where the registry's word holds. */
  files: FileLimits | null;
  /** Models that may be tried when the one that answers fails. */
  readonly others: Model[];
  /** Whom the model stands in for; null for the agent's own. */
  fellBack: FellBack | null;
  /** Violations in a row. */
  violations: number;
  lastDecision: string | null;
  /** Settings the user was told are left out, in this life of the turn. */
  readonly saidLeftOut: Set<string>;
  /** An answer that was cut off; the next request asks for its rest. */
  unfinished: Unfinished | null;
  /** What of it is being shown; null when it has to be shown anew. */
  live: LiveDecision | null;
}

/** Where the last request ended, if the next one begins as it did: a restart places checkpoints as the process before. */
export function previousRequest({ chain, resets }: TurnProgress): Pick<RenderOptions, "previousLength"> {
  return chain === null || resets.length > 0 ? {} : { previousLength: chain.length };
}
