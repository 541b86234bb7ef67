/** Two requests side by side. It shows their common beginning, the first difference, and all later differences. */
import type { ModelRequest } from "@cairn/api";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowLeft, ArrowRight } from "lucide-react";
import { useCallback, useMemo, useRef } from "react";
import { Link } from "../../route/link.tsx";
import { plural } from "../../text/format-count.ts";
import { REACHABLE } from "../../ui/reachable.ts";
import { getRequest } from "../data/inspector-api.ts";
import { goTo, routeTo } from "../data/place.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { SelectField } from "../parts/fields.tsx";
import { PlacedRow } from "../parts/placed-row.tsx";
import { Problem, Waiting } from "../parts/states.tsx";
import { type Compared, compareRequests } from "./compare-requests.ts";
import { ComparedRowView } from "./compared-row-view.tsx";

export interface ComparePageProps {
  readonly conversationId: string;
  readonly requests: readonly ModelRequest[];
  readonly before: number;
  readonly after: number;
}

export function ComparePage({ conversationId, requests, before, after }: ComparePageProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const load = useCallback(
    async (signal: AbortSignal) =>
      compareRequests(
        ...(await Promise.all([
          getRequest(conversationId, before, { signal }),
          getRequest(conversationId, after, { signal }),
        ])),
      ),
    [conversationId, before, after],
  );
  const { value: compared, problem, isLoading, reload } = useLoaded(conversationId, `${before} ${after}`, load);
  const rows = useMemo(() => compared?.rows ?? [], [compared]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: (index) => (rows[index]?.kind === "same" ? 36 : 160),
    overscan: 3,
    paddingStart: 8,
    paddingEnd: 40,
  });
  const options = requests.map(({ n }): [string, string] => [String(n), `Request ${n}`]);
  const choose = (left: number, right: number) =>
    goTo(conversationId, { tab: "requests", n: right, compareWith: left }, { replace: true });
  return (
    <>
      <header className="flex flex-col gap-2 border-b border-line px-4 py-3">
        <div className="flex flex-wrap items-center gap-2">
          <Link
            to={routeTo(conversationId, { tab: "requests", n: after, compareWith: null })}
            className="inline-flex h-8 items-center gap-1.5 rounded-lg px-2 text-xs text-soft hover:bg-hover hover:text-ink"
          >
            <ArrowLeft className="size-3.5" aria-hidden="true" /> Request {after}
          </Link>
          <span className="flex-1" />
          <SelectField
            label="Before"
            value={String(before)}
            options={options}
            onChange={(value) => choose(Number(value), after)}
          />
          <ArrowRight className="size-4 text-faint" aria-hidden="true" />
          <SelectField
            label="After"
            value={String(after)}
            options={options}
            onChange={(value) => choose(before, Number(value))}
          />
        </div>
        {compared === null || isLoading ? null : (
          <div role="status" className="flex flex-col gap-0.5 text-sm">
            <p>
              Both begin with the same{" "}
              <strong className="font-semibold">{plural(compared.shared.messages, "message")}</strong>,{" "}
              {plural(compared.shared.tokens, "token")} with tools and system text.
            </p>
            <p className="text-xs text-soft">
              {compared.firstDifference === null
                ? "Everything sent before is unchanged: the later request continues the earlier one."
                : `The first difference is ${nameOf(compared.firstDifference.before ?? compared.firstDifference.after)}.`}{" "}
              {plural(compared.counts.changed, "change")}, {plural(compared.counts.removed, "removal")},{" "}
              {plural(compared.counts.added, "addition")}.
            </p>
          </div>
        )}
      </header>
      {problem !== null ? (
        <Problem title="The requests could not be compared" problem={problem} onRetry={reload} />
      ) : compared === null ? (
        <Waiting label="Comparing" />
      ) : (
        <section
          ref={scroller}
          {...REACHABLE}
          aria-label={`From request ${before} to request ${after}`}
          aria-busy={isLoading}
          className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto"
        >
          <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map(({ index, key, start }) => {
              const row = rows[index];
              return row === undefined ? null : (
                <PlacedRow key={key} index={index} top={start} measure={virtualizer.measureElement}>
                  <ComparedRowView conversationId={conversationId} row={row} />
                </PlacedRow>
              );
            })}
          </div>
        </section>
      )}
    </>
  );
}

function nameOf(part: Compared | null): string {
  if (part === null) return "the end";
  if (part.index === null) return part.part === "tools" ? "the tools" : "the system text";
  return `message #${part.index}, ${part.label}`;
}
