/** The metrics of the server. */
import { Metrics } from "./metrics.ts";

export interface Telemetry {
  readonly metrics: Metrics;
  readonly requestDone: (seconds: number, labels: { method: string; route: string; status: number }) => void;
  readonly turnDone: (seconds: number, labels: { exit: string }) => void;
  readonly eventsSent: (labels: { kind: "event" | "live" }, by: number) => void;
  readonly followerLagged: () => void;
  readonly turnRefused: () => void;
  readonly tokensUsed: (labels: { kind: "input" | "cache_read" | "cache_write" | "output" }, by: number) => void;
  readonly dollarsSpent: (labels: Readonly<Record<string, never>>, by: number) => void;
}

/** `read` returns the current values on request. */
export function createTelemetry(read: {
  readonly running: () => number;
  readonly waiting: () => number;
  readonly followers: () => number;
}): Telemetry {
  const metrics = new Metrics();
  metrics.gauge("cairn_turns_running", "Turns running in this process.", read.running);
  metrics.gauge(
    "cairn_turns_waiting",
    "Conversations waiting for a turn: in this process, or in the whole cluster as a server counts them.",
    read.waiting,
  );
  metrics.gauge("cairn_followers", "Open event streams.", read.followers);
  metrics.gauge("process_resident_memory_bytes", "Resident memory of the process.", () => process.memoryUsage.rss());
  metrics.gauge("process_uptime_seconds", "Time since the process started.", () => process.uptime());
  const sent = metrics.counter("cairn_stream_frames_total", "Frames sent on event streams.");
  const tokens = metrics.counter(
    "cairn_model_tokens_total",
    "Tokens used by model requests, as reported by providers.",
    {
      isPrivate: true,
    },
  );
  const dollars = metrics.counter("cairn_model_dollars_total", "Cost of model requests.", { isPrivate: true });
  const lagged = metrics.counter(
    "cairn_followers_lagging_total",
    "Event streams closed because the client read too slowly.",
  );
  const refused = metrics.counter("cairn_turns_refused_total", "Messages rejected because the queue was full.");
  return {
    metrics,
    requestDone: metrics.histogram("cairn_http_request_seconds", "Time to respond to a request."),
    turnDone: metrics.histogram("cairn_turn_seconds", "Time a turn took in this process."),
    eventsSent: (labels, by) => sent(labels, by),
    followerLagged: () => lagged(),
    turnRefused: () => refused(),
    tokensUsed: (labels, by) => tokens(labels, by),
    dollarsSpent: (labels, by) => dollars(labels, by),
  };
}
