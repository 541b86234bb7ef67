/**
 * Traces and metrics for a collector, for who asks for them (`CAIRN_OTEL=1`, `open-tracing.ts`). Neither what is said
 * nor what tools are given or find is ever part of a trace.
 */
import type { Model, TurnSignal } from "@cairn/agent";
import type { ConversationKey } from "@cairn/store";

export interface Tracing {
  /** `parent`: the caller's `traceparent`, if it sent one. */
  readonly request: (method: string, parent: string | undefined) => RequestTrace;
  readonly turn: (key: ConversationKey, agent: string) => TurnTrace;
  /** Sends what is left. */
  readonly close: () => Promise<void>;
}

export interface RequestTrace {
  readonly end: (route: string, status: number) => void;
}

export interface TurnTrace {
  /** The same model, each of whose requests is a span. */
  readonly watch: (model: Model) => Model;
  readonly hear: (said: TurnSignal) => void;
  /** `exit`: how it ended, or what stands in its way. */
  readonly end: (exit: string, isError: boolean) => void;
}

/** What is so at the moment somebody asks. */
export interface TracedState {
  readonly running: () => number;
  readonly waiting: () => number;
  readonly followers: () => number;
}
