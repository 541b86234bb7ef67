/** The waterfall of a turn: its requests and calls as bars over time, with the same numbers beside the bars. */
import type { ModelRequest, TurnCall } from "@cairn/api";
import { useMemo } from "react";
import { formatMs } from "../../text/format-time.ts";
import { cx } from "../../ui/class-names.ts";
import { REACHABLE } from "../../ui/reachable.ts";
import { InspectorLink } from "../parts/inspector-link.tsx";
import { barsAround, turnWaterfall, type WaterfallBar } from "./turn-waterfall.ts";

export interface WaterfallProps {
  readonly conversationId: string;
  readonly requests: readonly ModelRequest[];
  /** The calls of the turn; null until they are loaded. */
  readonly calls: readonly TurnCall[] | null;
  /** Number of the chosen request. */
  readonly n: number;
}

const MAX_BARS = 60;

export function Waterfall({ conversationId, requests, calls, n }: WaterfallProps) {
  const { totalMs, bars } = useMemo(() => turnWaterfall(requests, calls ?? []), [requests, calls]);
  const shown = barsAround(bars, n, MAX_BARS);
  if (requests.length === 0) return null;
  return (
    <section aria-label="Duration of the turn" className="flex flex-col gap-1.5">
      <h3 className="flex items-baseline gap-1.5 text-xs">
        <span className="text-soft">Duration of the turn</span>
        <span className="font-semibold tabular-nums">{formatMs(totalMs)}</span>
        <span className="text-faint">{shown.length < bars.length ? `${shown.length} of ${bars.length} bars` : ""}</span>
      </h3>
      <ol {...REACHABLE} aria-label="Waterfall of the turn" className="max-h-60 overflow-x-hidden overflow-y-auto">
        {shown.map((bar) => (
          <li key={bar.key} className="flex items-center gap-2 py-0.5 text-2xs tabular-nums">
            <span className="w-28 shrink-0 truncate @lg:w-40">
              {bar.n === null ? (
                <span className="pl-3 font-mono text-soft">{bar.label}</span>
              ) : (
                <InspectorLink
                  conversationId={conversationId}
                  to={{ tab: "requests", n: bar.n, compareWith: null }}
                  isCurrent={bar.n === n}
                  className={cx(bar.n === n && "font-semibold")}
                >
                  {bar.label}
                </InspectorLink>
              )}
            </span>
            <Track bar={bar} />
            <span className="w-20 shrink-0 truncate text-right text-soft">{bar.told}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Track({ bar: { n, start, length, wait } }: { readonly bar: WaterfallBar }) {
  return (
    <span aria-hidden="true" className="relative h-2.5 min-w-0 flex-1 rounded-sm bg-sunken">
      <span
        data-part={n === null ? "call" : "request"}
        className="absolute inset-y-0 flex min-w-0.5 overflow-hidden rounded-sm bg-[var(--part)]"
        style={{ left: `${start * 99.5}%`, width: `${length * 99.5}%` }}
      >
        <span data-part="wait" className="bg-[var(--part)]" style={{ width: `${wait * 100}%` }} />
      </span>
    </span>
  );
}
