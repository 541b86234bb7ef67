/** One request: its numbers, why its cache broke, what was sent to the model, and its answer, in one scroll area. */
import type { ModelRequest } from "@cairn/api";
import { type ReactNode, useCallback, useRef, useState } from "react";
import { cx } from "../../ui/class-names.ts";
import { REACHABLE } from "../../ui/reachable.ts";
import { getRequest } from "../data/inspector-api.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { Problem, Waiting } from "../parts/states.tsx";
import { AnswerView } from "./answer-view.tsx";
import { BreakNote } from "./break-note.tsx";
import { ContextView } from "./context-view.tsx";
import { RequestSummary } from "./request-summary.tsx";
import { Waterfall } from "./waterfall.tsx";
import { WireDialog } from "./wire-dialog.tsx";

export interface RequestViewProps {
  readonly conversationId: string;
  readonly request: ModelRequest;
  /** The number of the previous request; null for the first. */
  readonly previous: number | null;
  /** All requests of the turn to which the request belongs. */
  readonly turnRequests: readonly ModelRequest[];
  readonly renderStrip: ReactNode;
  /** A number that grows with the journal as long as the turn of the request may still run. */
  readonly version: number;
}

export function RequestView({
  conversationId,
  request,
  previous,
  turnRequests,
  renderStrip,
  version,
}: RequestViewProps) {
  const { n } = request;
  const scroller = useRef<HTMLDivElement>(null);
  const [jumpTo, setJumpTo] = useState<number | null>(null);
  const [isWireOpen, setWireOpen] = useState(false);
  const load = useCallback((signal: AbortSignal) => getRequest(conversationId, n, { signal }), [conversationId, n]);
  const { value: detail, problem, isLoading, reload } = useLoaded(conversationId, String(n), load, version);
  return (
    <section
      ref={scroller}
      {...REACHABLE}
      aria-label={`Request ${n}`}
      className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto outline-none [overflow-anchor:none] focus-visible:ring-2 focus-visible:ring-accent focus-visible:ring-inset"
    >
      <h2 className="sr-only">Request {n}</h2>
      {renderStrip}
      <div className="flex flex-col gap-3 border-y border-line px-4 py-3">
        <RequestSummary
          conversationId={conversationId}
          request={request}
          detail={isLoading ? null : detail}
          previous={previous}
          onWire={() => setWireOpen(true)}
        />
        <BreakNote
          conversationId={conversationId}
          request={request}
          previous={previous}
          detail={isLoading ? null : detail}
          onJump={setJumpTo}
        />
        <Waterfall
          conversationId={conversationId}
          requests={turnRequests}
          calls={detail === null || isLoading ? null : detail.calls}
          n={n}
        />
      </div>
      {problem !== null ? (
        <Problem title={`Request ${n} could not be rebuilt`} problem={problem} onRetry={reload} />
      ) : detail === null ? (
        <Waiting label={`Loading request ${n}`} />
      ) : (
        <div
          className={cx(
            "transition-opacity @4xl:grid @4xl:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]",
            isLoading && "opacity-60",
          )}
          aria-busy={isLoading}
        >
          <div className="@4xl:sticky @4xl:top-0 @4xl:order-last @4xl:max-h-[70dvh] @4xl:self-start @4xl:overflow-y-auto @4xl:border-l @4xl:border-line">
            <AnswerView
              key={detail.request.n}
              conversationId={conversationId}
              parts={detail.answer}
              isComplete={detail.request.is_billed}
            />
          </div>
          <ContextView
            conversationId={conversationId}
            detail={detail}
            scroller={scroller}
            jumpTo={isLoading ? null : jumpTo}
            onJumped={() => setJumpTo(null)}
          />
        </div>
      )}
      {isWireOpen ? <WireDialog conversationId={conversationId} n={n} onClose={() => setWireOpen(false)} /> : null}
    </section>
  );
}
