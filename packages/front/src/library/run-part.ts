/** The parts that a run reports while it happens. */
import type { FileView, Json, JsonObject, PlanView, Question, SourceRow } from "@cairn/timeline";

/** A piece of text for the user: notes while the agent works, and the answer. Pieces with one id are one text. */
export interface TextPart {
  readonly type: "text";
  readonly id: string;
  readonly text: string;
}

/** A piece of the model's thoughts, if its provider shows them. */
export interface ReasoningPart {
  readonly type: "reasoning";
  readonly id: string;
  readonly text: string;
}

/** A call, when it starts and when it has its outcome. */
export interface ToolPart {
  readonly type: "tool";
  /** The id of the call. */
  readonly id: string;
  readonly name: string;
  /** The input with which the call runs. */
  readonly input: Json;
  /** Who changed the model's input: the person who approved the call, or a hook of the application. */
  readonly changedBy: "approver" | "application" | null;
  readonly status: "running" | "done" | "failed" | "refused";
  /** The result; null before the call ends, and for a call without a visible result. */
  readonly output: Json;
  /** The error, if the call failed or was refused. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** A call that waits for a person's approval or answer. Plain data, so that it can be sent to a browser and back. */
export interface Approval {
  /** The id of the call. */
  readonly id: string;
  readonly tool: string;
  /** The input that will run. */
  readonly input: Json;
  /** The hash of exactly this input; an answer must contain it. */
  readonly hash: string | null;
  readonly turn: string | null;
  /** The question of the call, if it has one. To approve means to answer it, and to refuse means to decline it. */
  readonly question?: Question;
  /** The client runs the call: answer it with `respond` instead of `approve`. */
  readonly client: boolean;
}

/** The answer to a call of a tool without `run`. */
export type ClientAnswer = { readonly output: Json } | { readonly error: string };

/** A call of a tool without `run`: the turn waits for its output. */
export interface ClientToolPart extends Approval {
  readonly type: "client_tool";
  readonly respond: (answer: ClientAnswer) => Promise<void>;
}

export interface RefusalOptions {
  /** The reason for the decision, which the model reads. */
  readonly reason?: string;
  /** Closes a question without declining it. */
  readonly dismiss?: boolean;
}

export interface ApprovalOptions {
  /** The reason for the decision, which the model reads. */
  readonly reason?: string;
  /** The values of the question's form; required to answer a question. A missing field gets its default. */
  readonly answer?: JsonObject;
  /** The input with which to run the call, instead of the shown input. A notice tells the model about it. */
  readonly input?: JsonObject;
  /** Later calls of the tool in this conversation need no approval. */
  readonly remember?: boolean;
}

export interface ApprovalPart extends Approval {
  readonly type: "approval";
  readonly approve: (options?: ApprovalOptions) => Promise<void>;
  readonly refuse: (options?: RefusalOptions) => Promise<void>;
}

export interface SourcePart {
  readonly type: "source";
  readonly source: SourceRow;
}

/** A file that the agent wrote. `conversation.read(file.path)` reads it. */
export interface FilePart {
  readonly type: "file";
  readonly file: FileView;
}

export interface PlanPart {
  readonly type: "plan";
  readonly plan: PlanView;
}

/**
 * A remark: the progress of a tool (`progress`), a wait for the model (`model_waiting`), the beginning of a compaction
 * (`compaction`), text that is withdrawn because it is written again (`text_withdrawn`), or a notice of the runtime to
 * the agent.
 */
export interface NoticePart {
  readonly type: "notice";
  readonly code: string;
  readonly message: string;
  /** The id of the call or of the text that the remark is about. */
  readonly id: string | null;
}

export type RunPart =
  | TextPart
  | ReasoningPart
  | ToolPart
  | ApprovalPart
  | ClientToolPart
  | SourcePart
  | FilePart
  | PlanPart
  | NoticePart;
