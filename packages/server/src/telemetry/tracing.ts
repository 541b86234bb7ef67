/** Traces and metrics for a collector (`CAIRN_OTEL=1`). They never contain messages or a tool's inputs and outputs. */
import type { Model, TurnSignal } from "@cairn/agent";
import type { ConversationKey } from "@cairn/store";

export interface Tracing {
  /** `parent`: the caller's `traceparent`, if it sent one. */
  readonly request: (method: string, parent: string | undefined) => RequestTrace;
  readonly turn: (key: ConversationKey, agent: string) => TurnTrace;
  /** Sends the remaining data. */
  readonly close: () => Promise<void>;
}

export interface RequestTrace {
  readonly end: (route: string, status: number) => void;
}

export interface TurnTrace {
  /** The same model, with a span for each request. */
  readonly watch: (model: Model) => Model;
  readonly hear: (said: TurnSignal) => void;
  /** `exit`: how it ended, or why it stopped. */
  readonly end: (exit: string, isError: boolean) => void;
}

/** The current values, on request. */
export interface TracedState {
  readonly running: () => number;
  readonly waiting: () => number;
  readonly followers: () => number;
}
