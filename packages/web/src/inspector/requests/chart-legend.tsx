/** The meaning of the colours and marks that occur in the chart. */
import type { ModelRequest } from "@cairn/api";
import { type BreakKind, breakOf } from "./cache-break.ts";
import type { Measure } from "./chart-geometry.ts";

const BARS = [
  ["read", "read"],
  ["written", "written"],
  ["plain", "uncached"],
  ["output", "output"],
] as const;

const BREAKS: Readonly<Record<BreakKind, { name: string; look: string }>> = {
  declared: { name: "changed, declared", look: "bg-ochre border-ochre" },
  cold: { name: "cache expired", look: "bg-surface border-ochre" },
  undeclared: { name: "changed, not declared", look: "bg-danger border-danger" },
  short: { name: "read less than predicted", look: "bg-surface border-danger" },
};

export function ChartLegend({
  requests,
  measure,
}: {
  readonly requests: readonly ModelRequest[];
  readonly measure: Measure;
}) {
  const kinds = new Set(requests.map((request) => breakOf(request)?.kind));
  return (
    <ul aria-label="Legend" className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-0.5 text-2xs text-soft">
      {(measure === "cost" ? ([["cost", "dollars"]] as const) : BARS).map(([part, name]) => (
        <li key={part} className="flex items-center gap-1">
          <span aria-hidden="true" data-part={part} className="size-2 rounded-[3px] bg-[var(--part)]" />
          {name}
        </li>
      ))}
      {(Object.keys(BREAKS) as BreakKind[])
        .filter((kind) => kinds.has(kind))
        .map((kind) => (
          <li key={kind} className="flex items-center gap-1">
            <span aria-hidden="true" className={`size-1.75 rotate-45 border-[1.5px] ${BREAKS[kind].look}`} />
            {BREAKS[kind].name}
          </li>
        ))}
    </ul>
  );
}
