/** The chart, the slider under it, and a description of the request at the pointer. */
import type { ModelRequest } from "@cairn/api";
import { ChartColumn, ChevronLeft, ChevronRight, ChevronsRight, Radio, Table2 } from "lucide-react";
import { useState } from "react";
import { formatCost, formatShare, formatShort, plural } from "../../text/format-count.ts";
import { formatMoment } from "../../text/format-time.ts";
import { IconButton } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { Choice } from "../parts/choice.tsx";
import { BranchTreeView } from "./branch-tree-view.tsx";
import { breakOf, inputOf, isAlarming, readShare } from "./cache-break.ts";
import type { Measure } from "./chart-geometry.ts";
import { ChartLegend } from "./chart-legend.tsx";
import { describeRequest } from "./describe-requests.ts";
import { RequestTable } from "./request-table.tsx";
import { SpentDays } from "./spent-days.tsx";
import { StripChart } from "./strip-chart.tsx";

export interface RequestStripProps {
  readonly conversationId: string;
  readonly requests: readonly ModelRequest[];
  readonly index: number;
  readonly isFollowing: boolean;
  readonly onFollow: (wanted: boolean) => void;
  readonly onChoose: (index: number) => void;
}

const MEASURES: Readonly<Record<Measure, string>> = { tokens: "Tokens", cost: "Cost" };

export function RequestStrip({ conversationId, requests, index, isFollowing, onFollow, onChoose }: RequestStripProps) {
  const [measure, setMeasure] = useState<Measure>("tokens");
  const [isTable, setTable] = useState(false);
  const [pointed, setPointed] = useState<number | null>(null);
  const request = requests[index];
  const told = requests[pointed ?? index];
  if (request === undefined || told === undefined) return null;
  const behind = requests.length - 1 - index;
  return (
    <section aria-label="All requests" className="flex flex-col gap-2 px-4 pt-3 pb-1">
      <div className="flex flex-wrap items-center justify-end gap-2">
        <Totals requests={requests} />
        <Choice label="Bars show" options={MEASURES} value={measure} onChoose={setMeasure} />
        <IconButton
          label={isTable ? "Show the chart" : "Show the figures as a table"}
          size="small"
          onClick={() => setTable((shown) => !shown)}
        >
          {isTable ? <ChartColumn /> : <Table2 />}
        </IconButton>
      </div>
      <ChartLegend requests={requests} measure={measure} />
      {isTable ? (
        <RequestTable conversationId={conversationId} requests={requests} n={request.n} />
      ) : (
        <StripChart requests={requests} index={index} measure={measure} onPoint={setPointed} onChoose={onChoose} />
      )}
      <BranchTreeView conversationId={conversationId} requests={requests} />
      <input
        type="range"
        className="request-slider"
        aria-label="Request"
        aria-valuetext={`${describeRequest(request)}; of ${requests.length}`}
        min={0}
        max={requests.length - 1}
        step={1}
        value={index}
        onChange={(event) => onChoose(Number(event.target.value))}
      />
      <div className="-mt-1 flex items-center gap-1">
        <IconButton label="Previous request" size="small" disabled={index === 0} onClick={() => onChoose(index - 1)}>
          <ChevronLeft />
        </IconButton>
        <IconButton label="Next request" size="small" disabled={behind === 0} onClick={() => onChoose(index + 1)}>
          <ChevronRight />
        </IconButton>
        <Readout request={told} count={requests.length} />
        {behind > 0 && !isFollowing ? (
          <IconButton
            label={`To the newest request, ${behind} ahead`}
            size="small"
            onClick={() => onChoose(requests.length - 1)}
          >
            <ChevronsRight />
          </IconButton>
        ) : null}
        <IconButton
          label="Follow new requests"
          size="small"
          aria-pressed={isFollowing}
          onClick={() => onFollow(!isFollowing)}
        >
          <Radio />
        </IconButton>
      </div>
      <SpentDays conversationId={conversationId} />
    </section>
  );
}

/** The request at the pointer, or the shown one. */
function Readout({ request, count }: { readonly request: ModelRequest; readonly count: number }) {
  const share = readShare(request);
  const found = breakOf(request);
  return (
    <p className="min-w-0 flex-1 truncate px-1 text-sm tabular-nums">
      <span className="font-semibold">Request {request.n}</span> <span className="text-faint">of {count}</span>
      {found === null ? null : (
        <span className={cx("font-medium", isAlarming(found) ? "text-danger" : "text-ochre")}> · {found.title}</span>
      )}
      {share === null ? null : <span className="text-soft"> · {formatShare(share)} read</span>}
      <span className="text-soft">
        {request.is_billed ? ` · ${formatShort(inputOf(request))} in` : " · cost unknown"}
        {request.is_billed && request.cost > 0 ? ` · ${formatCost(request.cost)}` : ""}
        {request.purpose === "summary" ? " · for a summary" : ""}
        {request.purpose === "continuation" ? " · for the rest of an answer" : ""}
        {` · ${formatMoment(request.started_at, Date.now())}`}
      </span>
    </p>
  );
}

function Totals({ requests }: { readonly requests: readonly ModelRequest[] }) {
  const input = requests.reduce((sum, request) => sum + inputOf(request), 0);
  const read = requests.reduce((sum, { usage }) => sum + usage.cache_read_tokens, 0);
  const cost = requests.reduce((sum, request) => sum + request.cost, 0);
  return (
    <p className="min-w-0 grow truncate text-sm tabular-nums">
      <span className="font-semibold">{plural(requests.length, "request")}</span>
      <span className="text-soft">
        {input === 0 ? "" : ` · ${formatShare(read / input)} read from the cache`}
        {cost === 0 ? "" : ` · ${formatCost(cost)}`}
      </span>
    </p>
  );
}
