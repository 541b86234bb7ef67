/** The requests and calls of a turn as bars over time. */
import type { ModelRequest, TurnCall } from "@cairn/api";
import { formatMs } from "../../text/format-time.ts";

export interface WaterfallBar {
  readonly key: string;
  /** The number of a request; null for a call. */
  readonly n: number | null;
  readonly label: string;
  /** The start and the end of the bar as shares of the whole time, from 0 to 1. */
  readonly start: number;
  readonly length: number;
  /** The share of the bar before the first piece of the answer. */
  readonly wait: number;
  /** The duration of the bar, in words. */
  readonly told: string;
}

export interface TurnWaterfall {
  readonly totalMs: number;
  readonly bars: readonly WaterfallBar[];
}

interface Span {
  readonly key: string;
  readonly n: number | null;
  readonly label: string;
  readonly from: number;
  /** Time at which the request or call ended; null if unknown. */
  readonly to: number | null;
  readonly waitMs: number;
  readonly told: string;
}

export function turnWaterfall(requests: readonly ModelRequest[], calls: readonly TurnCall[]): TurnWaterfall {
  const spans = [...requests.map(spanOfRequest), ...calls.map(spanOfCall)].sort((a, b) => a.from - b.from);
  const begin = spans[0]?.from ?? 0;
  const end = spans.reduce((latest, { from, to }) => Math.max(latest, to ?? from), begin);
  const totalMs = end - begin;
  const share = (ms: number) => (totalMs === 0 ? 0 : ms / totalMs);
  const bars = spans.map(({ key, n, label, from, to, waitMs, told }) => ({
    key,
    n,
    label,
    told,
    start: share(from - begin),
    length: to === null ? 0 : share(to - from),
    wait: to === null || to === from ? 0 : Math.min(1, waitMs / (to - from)),
  }));
  return { totalMs, bars };
}

/** Selects at most `most` bars, with the chosen request among them. */
export function barsAround(bars: readonly WaterfallBar[], n: number, most: number): readonly WaterfallBar[] {
  const at = bars.findIndex((bar) => bar.n === n);
  const from = Math.max(0, Math.min(at - Math.floor(most / 2), bars.length - most));
  return bars.slice(from, from + most);
}

export function describeTiming({ duration_ms, first_token_ms }: ModelRequest): string {
  if (duration_ms === null) return "not recorded";
  return first_token_ms === null
    ? formatMs(duration_ms)
    : `${formatMs(duration_ms)}, first piece after ${formatMs(first_token_ms)}`;
}

function spanOfRequest(request: ModelRequest): Span {
  const { n, started_at, duration_ms, first_token_ms, purpose } = request;
  const from = Date.parse(started_at);
  return {
    key: `request ${n}`,
    n,
    label: purpose === "summary" ? `Request ${n}, summary` : `Request ${n}`,
    from,
    to: duration_ms === null ? null : from + duration_ms,
    waitMs: first_token_ms ?? duration_ms ?? 0,
    told: duration_ms === null ? "not recorded" : formatMs(duration_ms),
  };
}

function spanOfCall({ call_id, tool_id, started_at, settled_at, outcome }: TurnCall): Span {
  const from = Date.parse(started_at);
  const to = settled_at === null ? null : Math.max(from, Date.parse(settled_at));
  const time = to === null ? "running" : formatMs(to - from);
  return {
    key: `call ${call_id}`,
    n: null,
    label: tool_id,
    from,
    to,
    waitMs: 0,
    told: outcome === null || outcome === "ok" ? time : `${time}, ${outcome}`,
  };
}
