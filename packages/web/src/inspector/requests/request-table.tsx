/** The chart's numbers as a table. Only visible rows are rendered; padding takes the place of the others. */
import type { ModelRequest } from "@cairn/api";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { formatCost, formatCount, formatShare } from "../../text/format-count.ts";
import { cx } from "../../ui/class-names.ts";
import { REACHABLE } from "../../ui/reachable.ts";
import { InspectorLink } from "../parts/inspector-link.tsx";
import { breakOf, isAlarming, readShare } from "./cache-break.ts";

const ROW = 28;
const FIGURES = ["Read", "Written", "Uncached", "Output", "Cost", "From cache"];

export interface RequestTableProps {
  readonly conversationId: string;
  readonly requests: readonly ModelRequest[];
  readonly n: number;
}

export function RequestTable({ conversationId, requests, n }: RequestTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: requests.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 6,
    initialOffset: Math.max(0, (requests.findIndex((request) => request.n === n) - 3) * ROW),
  });
  const items = virtualizer.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <section
      ref={scroller}
      {...REACHABLE}
      aria-label="Requests as a table"
      className="max-h-56 overflow-auto [overflow-anchor:none] rounded-lg border border-line bg-surface"
    >
      <table
        aria-rowcount={requests.length + 1}
        className="w-full border-collapse text-xs whitespace-nowrap tabular-nums"
      >
        <caption className="sr-only">
          Every request: what it read from the cache, wrote to it and cost, and why the cache broke
        </caption>
        <thead className="sticky top-0 bg-sunken text-faint">
          <tr>
            <th scope="col" className="px-2.5 py-1 text-left font-normal">
              Request
            </th>
            {FIGURES.map((name) => (
              <th key={name} scope="col" className="px-2.5 py-1 text-right font-normal">
                {name}
              </th>
            ))}
            <th scope="col" className="px-2.5 py-1 text-left font-normal">
              Why the cache broke
            </th>
          </tr>
        </thead>
        <tbody>
          <Room height={above} />
          {items.map(({ index }) => {
            const request = requests[index];
            return request === undefined ? null : (
              <tr
                key={request.n}
                aria-rowindex={index + 2}
                className={cx(request.n === n && "bg-accent-soft")}
                style={{ height: ROW }}
              >
                <Cells conversationId={conversationId} request={request} isShown={request.n === n} />
              </tr>
            );
          })}
          <Room height={below} />
        </tbody>
      </table>
    </section>
  );
}

function Room({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return (
    <tr>
      <td colSpan={FIGURES.length + 2} style={{ height, padding: 0 }} />
    </tr>
  );
}

interface CellsProps {
  readonly conversationId: string;
  readonly request: ModelRequest;
  readonly isShown: boolean;
}

function Cells({ conversationId, request, isShown }: CellsProps) {
  const { usage, cost, is_billed, is_priced } = request;
  const share = readShare(request);
  const found = breakOf(request);
  const tokens = [usage.cache_read_tokens, usage.cache_write_tokens, usage.input_tokens, usage.output_tokens];
  const figures = is_billed
    ? [...tokens.map(formatCount), is_priced ? formatCost(cost) : "–", share === null ? "–" : formatShare(share)]
    : FIGURES.map(() => "–");
  return (
    <>
      <th scope="row" className="px-2.5 text-left font-normal">
        <InspectorLink
          conversationId={conversationId}
          to={{ tab: "requests", n: request.n, compareWith: null }}
          {...(isShown ? { className: "font-semibold" } : {})}
        >
          {request.n}
        </InspectorLink>
      </th>
      {figures.map((figure, at) => (
        <td key={FIGURES[at]} className="px-2.5 text-right">
          {figure}
        </td>
      ))}
      <td className={cx("px-2.5", found !== null && (isAlarming(found) ? "text-danger" : "text-ochre"))}>
        {found?.title ?? ""}
      </td>
    </>
  );
}
