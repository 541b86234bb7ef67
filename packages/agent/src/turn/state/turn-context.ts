/** The shared context of the parts of a turn. */
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
import type { AgentDefinition } from "../../definition/define-agent.ts";
import type { TitleAnswer } from "../../gate/title.ts";
import type { Model, ToolSpec } from "../../model/model.ts";
import type { RequestSettings } from "../../model/request-settings.ts";
import type { DecisionPiece } from "../../protocol/decision.ts";
import type { Unfinished } from "../../protocol/unfinished.ts";
import type { CacheMemory } from "../../receipt/cache-memory.ts";
import type { ToolRegistry } from "../../tool/registry.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Spent } from "./budget.ts";
import type { FellBack } from "./earlier-life.ts";
import type { LiveCitations, TurnListener } from "./listener.ts";
import type { TurnJournal } from "./turn-journal.ts";

export interface TurnContext {
  /** Contains a different model while a fallback answers. */
  agent: AgentDefinition;
  readonly store: ConversationStore;
  readonly key: ConversationKey;
  /** The key by which a provider may route requests to a cache: the first conversation of the chain of forks. */
  readonly cacheKey: string;
  readonly journal: TurnJournal;
  readonly registry: ToolRegistry;
  /** The tools offered to the model, in a fixed order. */
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
  /** Settings of the turn's message. */
  readonly settings: RequestSettings;
  /** The problem with them, or null. */
  readonly settingsProblem: CairnError | null;
  readonly startedAt: number;
  /** The changing part of the context. */
  readonly progress: TurnProgress;
}

/** A decision that is shown while the model writes it. */
export interface LiveDecision {
  /** Everything received so far: the text, then each text of a call under its path. */
  readonly partial: string;
  /** Streams by the number of their call. */
  readonly ofCalls: ReadonlyMap<number, string>;
  take(piece: DecisionPiece): void;
  /** Shows text that was held back and waits for pending saves. */
  end(): Promise<void>;
}

interface TurnProgress {
  spent: Spent;
  /** The last request, as the base of receipts; null when there is none to continue from. */
  chain: RequestChain | null;
  /** The predicted contents of the provider's cache. */
  memory: CacheMemory;
  /** The view of the previous request, if this process made it. */
  previousView: RenderedView | null;
  /** References of the texts that this process has stored for receipts. */
  readonly keptTexts: Set<string>;
  /** Texts to announce once, with the next request that is answered. */
  notices: string[];
  /** A request that was rejected as too large, until a receipt records it. */
  refused: RefusedRequest | null;
  /** Changes of the prefix since the last answered request; the next receipt declares them. */
  resets: DeclaredReset[];
  /** The pending request for a title, or null. */
  title: Promise<TitleAnswer | null> | null;
  /** Kinds of files that the model does not accept, from the registry or learned from its errors. */
  describes: Set<FileKind>;
  /** The highest SID when the last request was rendered; its answer can cite no later source. */
  sourcesKnown: number;
  /** Limits on files learned from the model's errors; null to use the registry's. */
  files: FileLimits | null;
  /** Models that may be tried when the current one fails. */
  readonly others: Model[];
  /** The model that the fallback replaces; null while the agent's own answers. */
  fellBack: FellBack | null;
  /** Violations in a row. */
  violations: number;
  lastDecision: string | null;
  /** Rejected settings that the user was already told of, by this process. */
  readonly saidLeftOut: Set<string>;
  /** An answer that was cut off; the next request asks for its rest. */
  unfinished: Unfinished | null;
  /** Its live display; null when it must be shown again from the start. */
  live: LiveDecision | null;
}

/**
 * The end of the last request, if the next one begins with it, so that a restart places checkpoints as the earlier
 * process did.
 */
export function previousRequest({ chain, resets }: TurnProgress): Pick<RenderOptions, "previousLength"> {
  return chain === null || resets.length > 0 ? {} : { previousLength: chain.length };
}
