/** Metrics for a collector, with names and units of the semantic conventions, and labels with fixed values. */
import type { Histogram, Meter } from "@opentelemetry/api";
import type { TracedState } from "../tracing.ts";

export interface Instruments {
  readonly requestSeconds: Histogram;
  readonly turnSeconds: Histogram;
  readonly modelSeconds: Histogram;
  readonly modelTokens: Histogram;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Histogram bounds that the semantic conventions recommend for model requests. */
const MODEL_SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304];

export function makeInstruments(meter: Meter, state: TracedState): Instruments {
  const gauge = (name: string, description: string, read: () => number) =>
    meter.createObservableGauge(name, { description }).addCallback((result) => result.observe(read()));
  gauge("cairn.turns.running", "Turns running in this process.", state.running);
  gauge(
    "cairn.turns.waiting",
    "Conversations waiting for a turn: in this process, or in the whole cluster as a server counts them.",
    state.waiting,
  );
  gauge("cairn.followers", "Open event streams.", state.followers);
  const histogram = (name: string, unit: string, description: string, bounds: number[]) =>
    meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: bounds } });
  return {
    requestSeconds: histogram("http.server.request.duration", "s", "Time to respond to a request.", SECONDS),
    turnSeconds: histogram("cairn.turn.duration", "s", "Time a turn took in this process.", MODEL_SECONDS),
    modelSeconds: histogram("gen_ai.client.operation.duration", "s", "Time a model request took.", MODEL_SECONDS),
    modelTokens: histogram("gen_ai.client.token.usage", "{token}", "Tokens used by model requests.", TOKENS),
  };
}
