/**
 * The tool port.
 *
 * A tool does its work in `run` and says what came of it in one of two ways: an envelope `{ok, error, ret}`, from which
 * the runtime writes the blocks, or a settlement, a function that writes the blocks itself. A settlement runs when the
 * call settles, in one batch with everything else the call leaves behind, and may not wait for anything.
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
  WorkspaceTimeline,
} from "@cairn/timeline";
import type { z } from "zod";
import type { Workspace } from "../workspace/workspace.ts";
import type { SourcesSeen } from "./sources-seen.ts";

export interface Tool<P = unknown> {
  /** `react.read`, `shop.find`: letters, digits, `_`, `-` and dots. */
  readonly id: string;
  /** What it does and when to use it, for the model. */
  readonly description: string;
  readonly params: z.ZodType<P>;
  /** What the model is told of the parameters, as it came from elsewhere; made from `params` by default. */
  readonly schema?: JsonObject;
  readonly run: (params: P, context: ToolContext) => Promise<ToolEnvelope | Settlement>;
  /** Milliseconds until the call is given up; two minutes by default. */
  readonly timeout?: number;
  /** Whether running it twice does no more than running it once: then a call a crash interrupted is run again. */
  readonly idempotent?: boolean;
  /** Whether a person has to agree first; never by default. */
  readonly approval?: "always" | "never" | ((params: P) => boolean);
  /** Built-ins give their output as `ret` only; of other tools an envelope without `ret` is itself the output. */
  readonly builtin?: boolean;
  /**
   * How the parameters stand in the call block, for what the call leaves at a path anyway. Given what the model sent,
   * checked or not; must not throw for any of it.
   */
  readonly shownParams?: (params: unknown, place: { readonly turnId: string; readonly callId: string }) => unknown;
  /**
   * A text among the parameters that is worth watching while the model writes it: what a file will hold, or code. Code
   * is put on the timeline before its call, as `react.tool.code` at `fi:<turn>.code.<call>`.
   */
  readonly streams?: {
    /** The parameter, of the outermost object. */
    readonly param: string;
    readonly kind: "write" | "code";
    /** The parameter that says where the text goes. Define it before the text: models write in that order. */
    readonly path?: string;
  };
}

/** Tools of any parameters in one list: each checks its own. */
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

/** Writes what a call leaves on the timeline. Paths, call id and iteration are filled in. */
export interface Scribe {
  notice(code: string, message: string, data?: Readonly<Record<string, Json>>): void;
  /** A result at `tc:<turn>.<call>.result`. */
  result(text: string, mime: string): void;
  /** A digest at `tc:<turn>.<call>.result`: describes what stands at `artifact_path`. */
  digest(fields: Readonly<Record<string, Json | undefined>>): void;
  /** Content at another logical path. `meta` joins what every block of the call carries. */
  content(path: string, fields: ContentFields): void;
  /** Any other block of the call, such as `react.note` or `react.plan`. */
  block(block: Block): void;
  /** Rows join the pool; gives the SID of each, in order. */
  mergeSources(rows: readonly SourceInput[]): number[];
  hide(request: HideRequest): HideResult;
  /** The call failed: an error in place of every result written so far. Notices stay. */
  fail(error: ToolError): void;
}

export interface ContentFields {
  readonly mime: string;
  readonly text?: string | undefined;
  readonly base64?: string | undefined;
  readonly meta?: Readonly<Record<string, Json | undefined>>;
}

export interface ToolContext {
  /** Whose conversation it is, for whatever is shared out between users. */
  readonly owner: Scope;
  readonly turnId: string;
  readonly callId: string;
  readonly toolId: string;
  /** Aborts on cancel, time-out and loss of the lease. */
  readonly signal: AbortSignal;
  readonly workspace: Workspace;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly countTokens: CountTokens;
  /** What stands at a logical path, in view or not; null when nothing ever did. */
  readonly resolve: (path: string) => Promise<ResolvedArtifact | null>;
  /** Whether exactly this text, or these bytes, are in view at a path already. */
  readonly isVisible: (path: string, content: string | { readonly blob: BlobRef }) => boolean;
  /** What stands at a path, if it is in view or described there; null when it is hidden, pruned or unknown. */
  readonly visible: (path: string) => Artifact | null;
  /** The latest snapshot of a plan; without an id, the active plan. */
  readonly plan: (id?: string) => PlanSnapshot | null;
  /** What the user has asked for good and still holds, oldest first. */
  readonly standingOrders: () => readonly StandingOrder[];
  /** Physical paths of the files the timeline tells of, in the order they came. */
  readonly files: () => readonly string[];
  /** Every turn of the conversation, oldest first. */
  readonly turns: () => Promise<readonly PastTurn[]>;
  /** The turns of the user's other conversations, of those that were active since then (epoch milliseconds). */
  readonly turnsElsewhere: (since: number) => Promise<readonly PastTurn[]>;
  readonly source: (sid: number) => SourceRow | undefined;
  /** The sources the model could know when it decided on the call: what its parameters say can cite these. */
  readonly sourcesSeen: SourcesSeen;
  /** The sources there were when the call started: what a program makes can cite these. */
  readonly sourcesAtStart: SourcesSeen;
  /** The conversation as programs find it in `timeline.json`: the payload and all of the pool, as of now. */
  readonly workspaceTimeline: () => WorkspaceTimeline;
  /**
   * What was said and written earlier, in this conversation or in all of the user's, ranked; the best `limit` of those
   * that are accepted. Several queries are several ways to ask for the same.
   */
  readonly search: (query: string | readonly string[], options: PastSearch) => Promise<readonly SearchFound[]>;
  /** Text for whoever watches, while the tool runs. Not stored. */
  readonly progress: (text: string) => void;
}

/** An artifact, and the meta of the block that holds its content: hosting fields, blob and digest. */
export interface ResolvedArtifact extends Artifact {
  readonly meta?: JsonObject;
  /** The texts its `text` is joined from: a call may leave several results at its path. */
  readonly texts?: readonly string[];
}

export interface PastTurn {
  /** Of a turn of another conversation. */
  readonly conversation?: string;
  readonly turn_id: string;
  /** ISO-8601 UTC. */
  readonly opened_at: string | null;
  readonly prompt: string;
  readonly completion: string;
}

export interface PastSearch {
  readonly scope: "conversation" | "user";
  readonly limit: number;
  /** Epoch milliseconds: said at `since` or later, and before `until`. */
  readonly since?: number;
  readonly until?: number;
  /** A turn of this conversation. */
  readonly turn?: string;
  readonly accepts?: (found: SearchFound) => boolean;
}

export interface SearchFound {
  readonly conversation: string;
  readonly turn_id: string | null;
  /** When it was said, as ISO-8601 UTC. */
  readonly ts: string;
  /** How many texts said almost the same and are not listed. */
  readonly repeats: number;
  /** Null for what stands in another conversation: it cannot be read by its path here. */
  readonly path: string | null;
  readonly type: string;
  /** Around the words; of another conversation as much as one needs to go on with. */
  readonly excerpt: string;
}

/** Makes a tool with its parameters' type inferred. */
export function defineTool<P>(tool: Tool<P>): Tool<P> {
  return tool;
}
