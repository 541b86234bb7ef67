/**
 * The tool port.
 *
 * A tool does its work in `run` and says what came of it in one of two ways: an envelope `{ok, error, ret}`, from which
 * the runtime writes the blocks, or a settlement, a function that writes the blocks itself. A settlement runs when the
 * call settles, in one batch with everything else the call leaves behind, and may not wait for anything.
 */
import type { Artifact, Block, CountTokens, HideRequest, HideResult, Json, SourceInput, SourceRow } from "@cairn/timeline";
import type { z } from "zod";
import type { Workspace } from "../workspace/workspace.ts";

export interface Tool<P = unknown> {
  /** `react.read`, `shop.find`: letters, digits, `_`, `-` and dots. */
  readonly id: string;
  /** What it does and when to use it, for the model. */
  readonly description: string;
  readonly params: z.ZodType<P>;
  readonly run: (params: P, context: ToolContext) => Promise<ToolEnvelope | Settlement>;
  /** Milliseconds until the call is given up; two minutes by default. */
  readonly timeout?: number;
  /** Whether running it twice does no more than running it once: then a call a crash interrupted is run again. */
  readonly idempotent?: boolean;
  /** Whether a person has to agree first; never by default. */
  readonly approval?: "always" | "never" | ((params: P) => boolean);
}

export interface ToolEnvelope {
  readonly ok: boolean;
  readonly error?: { readonly code: string; readonly message: string; readonly [field: string]: Json | undefined } | null;
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
  content(path: string, fields: { readonly mime: string; readonly text?: string; readonly base64?: string; readonly meta?: Readonly<Record<string, Json | undefined>> }): void;
  /** Any other block of the call, such as `react.note` or `react.plan`. */
  block(block: Block): void;
  /** Rows join the pool; gives the SID of each, in order. */
  mergeSources(rows: readonly SourceInput[]): number[];
  hide(request: HideRequest): HideResult;
}

export interface ToolContext {
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
  readonly resolve: (path: string) => Promise<Artifact | null>;
  /** Whether exactly this text is in view at a path already. */
  readonly isVisible: (path: string, text: string) => boolean;
  readonly source: (sid: number) => SourceRow | undefined;
  /** Words over this conversation, or over all of the user's. */
  readonly search: (query: string, options: { readonly scope: "conversation" | "user"; readonly limit: number }) => Promise<readonly SearchFound[]>;
  /** Text for whoever watches, while the tool runs. Not stored. */
  readonly progress: (text: string) => void;
}

export interface SearchFound {
  readonly conversation: string;
  readonly turn_id: string | null;
  readonly path: string | null;
  readonly type: string;
  readonly excerpt: string;
}

/** Makes a tool with its parameters' type inferred. */
export function defineTool<P>(tool: Tool<P>): Tool<P> {
  return tool;
}
