/** Measures turns: how they ended, their usage, and refused messages. */
import type { Model, TurnSignal } from "@cairn/agent";
import type { ConversationKey } from "@cairn/store";

export interface TurnMeters {
  readonly turnDone: (seconds: number, labels: { exit: string }) => void;
  readonly turnRefused: () => void;
  readonly tokensUsed: (labels: { kind: "input" | "cache_read" | "cache_write" | "output" }, by: number) => void;
  readonly dollarsSpent: (by: number) => void;
}

export interface TurnTracing {
  /** Measures a turn. `request` is the `traceparent` of its message's request; null if unknown. */
  readonly turn: (key: ConversationKey, agent: string, request: string | null) => TurnTrace;
}

export interface TurnTrace {
  /** Returns the model with a span for each of its requests. */
  readonly watch: (model: Model) => Model;
  readonly hear: (said: TurnSignal) => void;
  /** Records the end of a turn. `exit` is how it ended, or why it stopped. */
  readonly end: (exit: string, isError: boolean) => void;
}
