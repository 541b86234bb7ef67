/**
 * The interface of a tool.
 *
 * A tool does its work in `run` and returns its outcome in one of two ways: an envelope `{ok, error, ret}`, from which
 * the runtime writes the blocks, or a settlement, a function that writes the blocks itself. A settlement runs when the
 * call settles, in one batch with all other blocks of the call, so it must be synchronous. A tool that needs an answer
 * of a person returns an `Asking` first.
 */
import type { Scope } from "@cairn/store";
import type {
  Artifact,
  BlobRef,
  Block,
  CountTokens,
  HideRequest,
  HideResult,
  Json,
  JsonObject,
  PlanSnapshot,
  SourceInput,
  SourceRow,
  StandingOrder,
  ToolError,
  Visibility,
  WorkspaceTimeline,
} from "@cairn/timeline";
import type { z } from "zod";
import type { Workspace } from "../workspace/workspace.ts";
import type { Answered, Asking } from "./question.ts";
import type { SourcesSeen } from "./sources-seen.ts";
import type { DeclaredTraits } from "./tool-traits.ts";

export interface Tool<P = unknown> {
  /** An id such as `react.read` or `shop.find`: letters, digits, `_`, `-` and dots. */
  readonly id: string;
  /** Tells the model what the tool does and when to use it. */
  readonly description: string;
  readonly params: z.ZodType<P>;
  /** The JSON Schema for the model, if it is not generated from `params`. */
  readonly schema?: JsonObject;
  readonly run: (params: P, context: ToolContext) => Promise<ToolEnvelope | Settlement | Asking>;
  /** Called when the tool's question will not be answered, with the state of its `Asking`. Must not throw. */
  readonly withdraw?: (state: Json) => void;
  /** Timeout of a call in milliseconds; default two minutes. */
  readonly timeout?: number;
  /** Whether running a call twice has the same effect as once. After a crash, an interrupted call then runs again. */
  readonly idempotent?: boolean;
  /** Whether a person must approve a call first; default: never. */
  readonly approval?: "always" | "never" | ((params: P, context: ToolContext) => boolean);
  /** For a built-in tool, only `ret` is output. For other tools, an envelope without `ret` is itself the output. */
  readonly builtin?: boolean;
  /** The parameters as the call block shows them. Receives the model's parameters, valid or not; must not throw. */
  readonly shownParams?: (params: unknown, place: { readonly turnId: string; readonly callId: string }) => unknown;
  /** The parameters that `shownParams` shortens, each with the path of its full text. Must not throw. */
  readonly cutParams?: (
    params: unknown,
    place: { readonly turnId: string; readonly callId: string },
  ) => Readonly<Record<string, string>>;
  /**
   * A text parameter that is shown while the model writes it: the content of a file, or code. Code is written to the
   * timeline before its call, as `react.tool.code` at `fi:<turn>.code.<call>`.
   */
  readonly streams?: {
    /** The name of the parameter, in the outermost object. */
    readonly param: string;
    readonly kind: "write" | "code";
    /** The parameter with the path of the text. Define it before the text, because models write in that order. */
    readonly path?: string;
    /**
     * The parameter that says whether the text is for people, and its values that mean yes. If that parameter comes
     * before the text, the text is shown while it is written; otherwise it is shown when the call is complete.
     */
    readonly shownFor?: { readonly param: string; readonly values: readonly string[] };
  };
  /** Properties of the tool's calls for views, pruning and summaries. Each call records them. */
  readonly traits?: DeclaredTraits;
  /**
   * Whether the input and results of the call are internal, if this depends on the call. The blocks of the call record
   * the value (`meta.visibility`). The function receives the model's parameters, valid or not. Null: no statement. If
   * the function throws, the call is internal.
   */
  readonly visibility?: (params: unknown, context: ToolContext) => Promise<Visibility | null>;
}

/** The type of a tool in a list of tools with different parameters. Each tool checks its own parameters. */
// biome-ignore lint/suspicious/noExplicitAny: a tool's parameters are contravariant, so that no other type holds them all.
export type AnyTool = Tool<any>;

export interface ToolEnvelope {
  readonly ok: boolean;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly [field: string]: Json | undefined;
  } | null;
  readonly ret?: Json;
}

export type Settlement = (scribe: Scribe) => void;

/** Writes the blocks of a call. Paths, call id and iteration are filled in. */
export interface Scribe {
  notice(code: string, message: string, data?: Readonly<Record<string, Json>>): void;
  /** A result at `tc:<turn>.<call>.result`. `meta` is added to the meta fields that every block of the call has. */
  result(text: string, mime: string, meta?: Readonly<Record<string, Json>>): void;
  /** A digest at `tc:<turn>.<call>.result`, which describes the artifact at `artifact_path`. */
  digest(fields: Readonly<Record<string, Json | undefined>>): void;
  /** Content at another logical path. `meta` is merged with the meta of every block of the call. */
  content(path: string, fields: ContentFields): void;
  /** Any other block of the call, such as `react.note` or `react.plan`. */
  block(block: Block): void;
  /** Merges rows into the pool; returns the SID of each, in order. */
  mergeSources(rows: readonly SourceInput[]): number[];
  hide(request: HideRequest): HideResult;
  /** Marks the call as failed: replaces every result written so far with an error. Notices stay. */
  fail(error: ToolError): void;
}

export interface ContentFields {
  readonly mime: string;
  readonly text?: string | undefined;
  readonly base64?: string | undefined;
  readonly meta?: Readonly<Record<string, Json | undefined>>;
}

export interface ToolContext {
  /** The owner of the conversation, for resources that users share. */
  readonly owner: Scope;
  /** The id of the conversation. */
  readonly conversation: string;
  /** The context that the application sent with the message of the turn; empty if it sent none. */
  readonly context: JsonObject;
  readonly turnId: string;
  readonly callId: string;
  readonly toolId: string;
  /** Aborts on cancellation, timeout and loss of the lease. */
  readonly signal: AbortSignal;
  readonly workspace: Workspace;
  readonly now: () => number;
  readonly countTokens: CountTokens;
  /** The artifact at a logical path, in view or not; null when there never was one. */
  readonly resolve: (path: string) => Promise<ResolvedArtifact | null>;
  /** Whether this text, or these bytes, are already in view at a path, without any difference. */
  readonly isVisible: (path: string, content: string | { readonly blob: BlobRef }) => boolean;
  /** The artifact at a path, if its content or description is in view; null when it is hidden, pruned or unknown. */
  readonly visible: (path: string) => ResolvedArtifact | null;
  /** The latest snapshot of a plan; without an id, the active plan. */
  readonly plan: (id?: string) => PlanSnapshot | null;
  /** The current standing orders of the user, oldest first. */
  readonly standingOrders: () => readonly StandingOrder[];
  /** Physical paths of the files on the timeline, in order of appearance. */
  readonly files: () => readonly string[];
  /** Every turn of the conversation, oldest first. */
  readonly turns: () => Promise<readonly PastTurn[]>;
  /** The turns of the user's other conversations with activity after this time (epoch milliseconds). */
  readonly turnsElsewhere: (since: number) => Promise<readonly PastTurn[]>;
  readonly source: (sid: number) => SourceRow | undefined;
  /** The sources that the model could know when it decided on the call; its parameters can cite only these sources. */
  readonly sourcesSeen: SourcesSeen;
  /** The sources that existed when the call started; the output of a program can cite only these sources. */
  readonly sourcesAtStart: SourcesSeen;
  /** The conversation as programs find it in `timeline.json`: the payload and the whole pool at this moment. */
  readonly workspaceTimeline: () => WorkspaceTimeline;
  /** The best `limit` hits in this conversation or in all of the user's. `queries` are phrasings of one question. */
  readonly search: (query: string | readonly string[], options: PastSearch) => Promise<readonly SearchFound[]>;
  /** Shows a text to people who watch the running tool. Not stored. */
  readonly progress: (text: string) => void;
  /** Sets what the call writes after its error if the call is stopped before `run` returns. */
  readonly ifStopped?: (write: Settlement) => void;
  /** The answer to the question that the call asked. */
  readonly answered?: Answered;
}

/** An artifact, and the meta of its block: hosting fields, blob and digest. */
export interface ResolvedArtifact extends Artifact {
  readonly meta?: JsonObject;
  /** The blocks that `text` consists of: a call may leave several results at its path. */
  readonly texts?: readonly string[];
  /** Whether the content is hidden from people. */
  readonly internal?: true;
}

export interface PastTurn {
  /** The id of the conversation; absent for the current one. */
  readonly conversation?: string;
  readonly turn_id: string;
  /** Time at which the turn was opened, in ISO 8601 UTC; null if unknown. */
  readonly opened_at: string | null;
  readonly prompt: string;
  readonly completion: string;
}

export interface PastSearch {
  readonly scope: "conversation" | "user";
  readonly limit: number;
  /** The times of the texts, in epoch milliseconds: from `since` (included) to `until` (excluded). */
  readonly since?: number;
  readonly until?: number;
  /** The id of a turn of this conversation. */
  readonly turn?: string;
  readonly accepts?: (found: SearchFound) => boolean;
}

export interface SearchFound {
  readonly conversation: string;
  readonly turn_id: string | null;
  /** Time of the text, ISO 8601 UTC. */
  readonly ts: string;
  /** Number of texts with almost the same words that are not listed. */
  readonly repeats: number;
  /** The path; null for a hit in another conversation, which cannot be read from here. */
  readonly path: string | null;
  readonly type: string;
  /** Whether the content is hidden from people. */
  readonly internal: boolean;
  /** The text around the matching words; longer for other conversations. */
  readonly excerpt: string;
}

/** Creates a tool with the type of its parameters inferred. */
export function defineTool<P>(tool: Tool<P>): Tool<P> {
  return tool;
}
