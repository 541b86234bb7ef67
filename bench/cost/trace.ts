/** A conversation to replay: sizes and times only. `bench/traces` holds three; any file of the same shape will do. */
import { readFileSync } from "node:fs";

export interface TraceRound {
  /** From the request that decided on the round to the next one. */
  readonly seconds: number;
  readonly notes_tokens: number;
  readonly call_tokens: number;
  /** One figure for each block of the call's result. */
  readonly result_tokens: readonly number[];
  readonly new_sources: number;
}

export interface TraceTurn {
  /** From the last request of the turn before to this turn's first. */
  readonly pause_seconds: number;
  readonly prompt_tokens: number;
  readonly rounds: readonly TraceRound[];
  readonly answer_tokens: number;
  /** After this round, from 1, the process ends and another goes on from the journal. */
  readonly restart_after_round: number | null;
}

export interface Trace {
  readonly system_tokens: number;
  readonly tools_tokens: number;
  readonly turns: readonly TraceTurn[];
}

export function readTrace(file: string): Trace {
  const trace = JSON.parse(readFileSync(file, "utf8")) as Partial<Trace>;
  if (!Array.isArray(trace.turns)) throw new Error(`${file} is no trace: it has no list of turns.`);
  return trace as Trace;
}
