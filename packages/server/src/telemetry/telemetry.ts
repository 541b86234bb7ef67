/** The metrics of the server, in the Prometheus text format. Labels have fixed values, which users cannot choose. */
import type { TurnMeters } from "cairn-agent/turns";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { TracedState } from "./tracing.ts";

export interface Telemetry extends TurnMeters {
  /** The metrics as text. Only operators see the spending. */
  readonly metricsText: (reader: { readonly isOperator: boolean }) => Promise<string>;
  readonly requestDone: (seconds: number, labels: { method: string; route: string; status: number }) => void;
  readonly eventsSent: (labels: { kind: "event" | "live" }, by: number) => void;
  readonly followerLagged: () => void;
}

/** Upper bounds of the histogram buckets, in seconds. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** `read` is called for each scrape and returns the current values. */
export function createTelemetry(read: TracedState): Telemetry {
  const forAll = new Registry();
  const forOperators = new Registry();
  const registers = [forAll];
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  const histogram = (name: string, help: string, labelNames: readonly string[]) =>
    new Histogram({ name, help, labelNames, registers, buckets: SECONDS });
  const counter = (name: string, help: string, labelNames: readonly string[] = [], registry = forAll) =>
    new Counter({ name, help, labelNames, registers: [registry] });

  gauge("cairn_turns_running", "Turns running in this process.", read.running);
  gauge(
    "cairn_turns_waiting",
    "Conversations waiting for a turn: in this process, or in the whole cluster as a server counts them.",
    read.waiting,
  );
  gauge("cairn_followers", "Open event streams.", read.followers);
  gauge("process_resident_memory_bytes", "Resident memory of the process.", () => process.memoryUsage.rss());
  gauge("process_uptime_seconds", "Time since the process started.", () => process.uptime());
  const sent = counter("cairn_stream_frames_total", "Frames sent on event streams.", ["kind"]);
  const lagged = counter("cairn_followers_lagging_total", "Event streams closed because the client read too slowly.");
  const refused = counter("cairn_turns_refused_total", "Messages rejected because the queue was full.");
  const requests = histogram("cairn_http_request_seconds", "Time to respond to a request.", [
    "method",
    "route",
    "status",
  ]);
  const turns = histogram("cairn_turn_seconds", "Time a turn took in this process.", ["exit"]);
  const used = "Tokens used by model requests, as reported by providers.";
  const tokens = counter("cairn_model_tokens_total", used, ["kind"], forOperators);
  const dollars = counter("cairn_model_dollars_total", "Cost of model requests.", [], forOperators);
  return {
    metricsText: async ({ isOperator }) => {
      const texts = [forAll.metrics(), ...(isOperator ? [forOperators.metrics()] : [])];
      return (await Promise.all(texts)).join("");
    },
    requestDone: (seconds, labels) => requests.observe(labels, seconds),
    turnDone: (seconds, labels) => turns.observe(labels, seconds),
    eventsSent: (labels, by) => sent.inc(labels, by),
    followerLagged: () => lagged.inc(),
    turnRefused: () => refused.inc(),
    tokensUsed: (labels, by) => tokens.inc(labels, by),
    dollarsSpent: (by) => dollars.inc(by),
  };
}
