/** Traces and metrics for a collector (`CAIRN_OTEL=1`). They never contain messages or a tool's inputs and outputs. */
import type { TurnTracing } from "cairn-agent/turns";

export interface Tracing extends TurnTracing {
  /** `parent`: the `traceparent` that the caller sent, if any. */
  readonly request: (method: string, parent: string | undefined) => RequestTrace;
  /** The `traceparent` of the HTTP request that is being handled; undefined outside of a request. */
  readonly traceparent: () => string | undefined;
  /** Sends the data that was not sent yet. */
  readonly close: () => Promise<void>;
}

export interface RequestTrace {
  /** Handles the request in `work`, during which `traceparent` is the id of its span. */
  readonly run: (work: () => Promise<void>) => Promise<void>;
  readonly end: (route: string, status: number) => void;
}

/** Functions that return current values for the metrics. */
export interface TracedState {
  readonly running: () => number;
  readonly waiting: () => number;
  readonly followers: () => number;
}
