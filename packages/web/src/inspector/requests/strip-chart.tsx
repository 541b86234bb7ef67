/**
 * The chart of all requests: the cached share as a line, the composition as bars, and a mark where the cache broke. A
 * click opens a request; keyboard users have the slider, and screen readers its description and a table.
 */
import type { ModelRequest } from "@cairn/api";
import { useMemo, useRef, useState } from "react";
import { formatCost, formatShort } from "../../text/format-count.ts";
import type { BreakKind } from "./cache-break.ts";
import {
  BAR_TRACK,
  CHART_HEIGHT,
  chartGeometry,
  indexAt,
  type Measure,
  placeAt,
  SERIES,
  SHARE_TRACK,
} from "./chart-geometry.ts";
import { describeRequests } from "./describe-requests.ts";
import { useWidth } from "./use-width.ts";

export interface StripChartProps {
  readonly requests: readonly ModelRequest[];
  readonly index: number;
  readonly measure: Measure;
  readonly onPoint: (index: number | null) => void;
  readonly onChoose: (index: number) => void;
}

const MARKS: Readonly<Record<BreakKind, string>> = {
  cold: "fill-[var(--surface)] stroke-ochre",
  declared: "fill-ochre stroke-ochre",
  short: "fill-[var(--surface)] stroke-danger",
  undeclared: "fill-danger stroke-danger",
};

export function StripChart({ requests, index, measure, onPoint, onChoose }: StripChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [pointed, setPointed] = useState<number | null>(null);
  const chart = useMemo(() => chartGeometry(requests, width, measure), [requests, width, measure]);
  const description = useMemo(() => describeRequests(requests), [requests]);
  const count = requests.length;
  const point = (at: number | null) => {
    setPointed(at);
    onPoint(at);
  };
  const indexOf = ({ clientX, currentTarget }: { readonly clientX: number; readonly currentTarget: SVGSVGElement }) =>
    indexAt(clientX - currentTarget.getBoundingClientRect().left, count, width);
  const x = placeAt(index, count, width);
  const most = measure === "cost" ? formatCost(chart.most) : formatShort(chart.most);
  return (
    <div ref={frame} className="relative">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the slider right below does the same with keys. */}
      <svg
        role="img"
        aria-label={description}
        width={width}
        height={CHART_HEIGHT}
        viewBox={`0 0 ${width} ${CHART_HEIGHT}`}
        className="block cursor-pointer touch-pan-y overflow-visible"
        onPointerMove={(event) => point(indexOf(event))}
        onPointerLeave={() => point(null)}
        onClick={(event) => onChoose(indexOf(event))}
      >
        <path d={chart.turns} className="stroke-line [stroke-dasharray:2_3]" />
        <rect
          x={x - 9}
          y={0}
          width={18}
          height={CHART_HEIGHT}
          rx={6}
          className="fill-accent-soft [transition:x_120ms]"
        />
        {pointed === null || pointed === index ? null : (
          <rect
            x={placeAt(pointed, count, width) - 9}
            y={0}
            width={18}
            height={CHART_HEIGHT}
            rx={6}
            className="fill-hover"
          />
        )}
        <line
          x1={0}
          x2={width}
          y1={SHARE_TRACK.top + SHARE_TRACK.height + 0.5}
          y2={SHARE_TRACK.top + SHARE_TRACK.height + 0.5}
          className="stroke-line"
        />
        <path d={chart.share.area} className="fill-[var(--fate-read)] opacity-20" />
        <path
          d={chart.share.line}
          className="fill-none stroke-[var(--fate-read)] stroke-[1.75] [stroke-linejoin:round]"
        />
        {SERIES.map((series) => (
          <path key={series} d={chart.bars[series]} data-part={series} className="fill-[var(--part)]" />
        ))}
        <path d={chart.bars.cost} data-part="cost" className="fill-[var(--part)]" />
        {(Object.keys(MARKS) as BreakKind[]).map((kind) => (
          <path key={kind} d={chart.marks[kind]} data-break={kind} className={`stroke-[1.5] ${MARKS[kind]}`} />
        ))}
      </svg>
      <TrackName top={0} name="Read from the cache" most="100 %" />
      <TrackName top={BAR_TRACK.top - 18} name={measure === "cost" ? "Cost" : "Tokens"} most={`most ${most}`} />
    </div>
  );
}

function TrackName({ top, name, most }: { readonly top: number; readonly name: string; readonly most: string }) {
  return (
    <p
      aria-hidden="true"
      className="pointer-events-none absolute inset-x-0 flex justify-between text-2xs text-faint tabular-nums"
      style={{ top }}
    >
      <span>{name}</span>
      <span>{most}</span>
    </p>
  );
}
