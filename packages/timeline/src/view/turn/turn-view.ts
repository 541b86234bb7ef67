/**
 * A turn as a person sees it: the question, the rounds and the outcome. Plain JSON, folded from events one at a time
 * (`view/view-event.ts`), so that a client that follows the journal shows the same as one that loads it later.
 */
import type { Json } from "../../base/json.ts";
import type { StepStatus } from "../../plan/plan.ts";
import type { ToolTraits } from "../../tool/tool-traits.ts";

export interface FileView {
  /** The logical path, `fi:…`, without a version. */
  readonly path: string;
  readonly physical_path: string | null;
  readonly name: string;
  readonly mime: string | null;
  readonly size_bytes: number | null;
  readonly version: number;
  /** How the file is meant to be used: `file`, `display`, or another value from its writer; null if not stated. */
  readonly kind: string | null;
  readonly hosted: boolean;
  /** The highest SID that its text can cite. A token with a higher one cites nothing. */
  readonly sources_known: number;
}

interface ResultView {
  readonly path: string | null;
  readonly mime: string | null;
  /** The text, shortened to 20 KB. */
  readonly text: string;
  readonly position: number;
  readonly cut: boolean;
}

export interface ErrorView {
  readonly code: string;
  readonly message: string;
}

type RoundStatus = "waiting_approval" | "running" | "ok" | "error" | "interrupted";

/** How a call went (`round-outcome.ts`). A reason is one line; null when no reason is known. */
export interface OutcomeView {
  readonly kind: "ok" | "partly_failed" | "failed" | "refused";
  readonly reason: string | null;
}

export interface RoundView {
  readonly call_id: string;
  readonly tool_id: string;
  /** The traits of the tool, as the call records them. */
  readonly traits: ToolTraits;
  /** Text of the agent beside the decision; on the decision's first round. */
  readonly notes: string | null;
  /** The model's reasoning before the decision, if it can be read; on the decision's first round. */
  readonly thinking?: string | undefined;
  /** The highest SID the notes can cite. A token with a higher one cites nothing. */
  readonly sources_known: number;
  /** The parameters as the model wrote them, or as the person who approved the call changed them. */
  readonly params: Json;
  readonly code: string | null;
  /** The status of the call in the journal. A program that ended with an error settles as `ok`; see `outcome`. */
  readonly status: RoundStatus;
  /** How the call went; null while it is open and nothing has failed. */
  readonly outcome: OutcomeView | null;
  readonly started_at: string | null;
  readonly settled_at: string | null;
  readonly results: readonly ResultView[];
  readonly error: ErrorView | null;
  readonly files: readonly FileView[];
}

export interface PlanView {
  readonly id: string;
  readonly steps: readonly { readonly text: string; readonly status: StepStatus }[];
  readonly closed: boolean;
}

export interface CompletionView {
  /** The text as stored, with citations as tokens. */
  readonly text: string;
  readonly path: string | null;
  readonly position: number;
  /** The highest SID that the text can cite. A token with a higher one cites nothing, now and later. */
  readonly sources_known: number;
  /** Whether the model's answer was cut off. */
  readonly interrupted: boolean;
  /** The text asks the user a question instead of answering. */
  readonly clarification: boolean;
  /** The value, if the message asked for structured output. `text` is its JSON. */
  readonly output?: Json | undefined;
}

export interface InputView {
  readonly mode: "steer" | "follow-up";
  readonly text: string;
  readonly attachments: readonly FileView[];
  readonly ts: string | null;
  readonly made_with?: string | undefined;
}

interface NoticeView extends ErrorView {
  readonly call_id: string | null;
  readonly position: number;
}

/** A compaction during the turn, in tokens of what the model sees; null if not recorded. */
interface CompactionView {
  readonly before_tokens: number | null;
  readonly after_tokens: number | null;
}

export interface TurnView {
  readonly turn_id: string;
  /** Number of the turn in the conversation, from 1. */
  readonly n: number;
  readonly opened_seq: number;
  readonly opened_at: string | null;
  readonly closed_at: string | null;
  readonly exit: string | null;
  /** Why the turn failed; null unless it failed. */
  readonly error: ErrorView | null;
  /** `made_with`: the prompt of an MCP server from which the message was made, such as `shop.greeting`. */
  readonly prompt: { readonly text: string; readonly ts: string | null; readonly made_with?: string | undefined };
  readonly attachments: readonly FileView[];
  /** Messages of the user during the turn. */
  readonly inputs: readonly InputView[];
  readonly rounds: readonly RoundView[];
  readonly plan: PlanView | null;
  /** The model's reasoning before its answer, or before it was stopped, if it can be read. */
  readonly thinking?: string | undefined;
  readonly completion: CompletionView | null;
  /** The model of the turn's last request, such as `anthropic:claude-sonnet-5`; absent before its first. */
  readonly model?: string | undefined;
  /** The latest version of each file in this turn. */
  readonly files: readonly FileView[];
  readonly followups: readonly string[];
  readonly feedback: readonly { readonly reaction: string; readonly ts: string }[];
  readonly notices: readonly NoticeView[];
  /** The model sees a summary instead of this turn. */
  readonly compacted: boolean;
  readonly compactions: readonly CompactionView[];
}

export function newTurnView(turn_id: string, n: number, opened_seq: number, opened_at: string | null): TurnView {
  return {
    turn_id,
    n,
    opened_seq,
    opened_at,
    closed_at: null,
    exit: null,
    error: null,
    prompt: { text: "", ts: opened_at },
    attachments: [],
    inputs: [],
    rounds: [],
    plan: null,
    completion: null,
    files: [],
    followups: [],
    feedback: [],
    notices: [],
    compacted: false,
    compactions: [],
  };
}
