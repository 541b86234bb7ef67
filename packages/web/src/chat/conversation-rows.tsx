/**
 * The conversation as a list that draws only what is in sight. It stays at its end while text comes in, unless the
 * reader has scrolled up, and older turns come in above without moving what is read.
 */
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { memo, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { appStore } from "../state/app-state.ts";
import { loadOlder } from "../state/open-conversation.ts";
import { useStore } from "../state/store.ts";
import { Boundary } from "../ui/boundary.tsx";
import { IconButton } from "../ui/button.tsx";
import { REACHABLE } from "../ui/reachable.ts";
import { AnswerRow } from "./answer-row.tsx";
import { EndRow } from "./end-row.tsx";
import { FilesRow } from "./files-row.tsx";
import { foldStore } from "./folds.ts";
import { LiveRow } from "./live-row.tsx";
import { PlanCard } from "./plan-card.tsx";
import { OutgoingRow, PendingRow, PromptRow, SteerRow } from "./prompt-row.tsx";
import { RoundRow } from "./round-row.tsx";
import { guessHeight, type Row, rowsOf } from "./rows.ts";
import { useFollowing, useOpeningPlace, useReaderMoves, useStayAtEnd } from "./scroll-habits.ts";
import { WorkRow } from "./work-row.tsx";

const NOTHING = { turns: [], pending: [], outgoing: [] } as const;
/** How near to the top older turns are asked for, in pixels. */
const NEAR_TOP = 1_200;
/** How near to the end it counts as read, in pixels. */
const NEAR_END = 120;

export function ConversationRows({ conversationId }: { readonly conversationId: string }) {
  const scroller = useRef<HTMLDivElement>(null);
  const turns = useStore(appStore, (state) => state.session?.view.turns ?? NOTHING.turns);
  const pending = useStore(appStore, (state) => state.session?.view.pending ?? NOTHING.pending);
  const outgoing = useStore(appStore, (state) => state.session?.outgoing ?? NOTHING.outgoing);
  const hasOlder = useStore(appStore, (state) => state.session?.hasOlder ?? false);
  const isLoadingOlder = useStore(appStore, (state) => state.session?.isLoadingOlder ?? false);
  const folds = useStore(foldStore, (value) => value);
  const rows = useMemo(() => rowsOf({ turns, pending, outgoing, folds }), [turns, pending, outgoing, folds]);
  const [isAtEnd, setAtEnd] = useState(true);
  const isFollowing = useFollowing(folds, outgoing.length);
  const readerMoved = useReaderMoves(isFollowing);

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: (index) => {
      const row = rows[index];
      return row === undefined ? 40 : guessHeight(row);
    },
    overscan: 4,
    paddingStart: 24,
    paddingEnd: 24,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: isFollowing.current ? 80 : -1,
    onChange: (instance) => {
      setAtEnd(readerMoved(instance) < NEAR_END);
      // A list that opens stands at its top until it is at its end: older turns are for those who go up to them.
      const isGoingUp = !isFollowing.current || instance.getTotalSize() <= (instance.scrollRect?.height ?? 0);
      const isNearTop = (instance.scrollOffset ?? NEAR_TOP) < NEAR_TOP;
      if (hasOlder && isGoingUp && isNearTop) void loadOlder(conversationId);
    },
  });

  useStayAtEnd(virtualizer, scroller, isFollowing);
  // What the user sends is seen, wherever they were reading.
  useEffect(() => {
    if (outgoing.length > 0) virtualizer.scrollToEnd();
  }, [virtualizer, outgoing.length]);
  const isFound = useOpeningPlace(virtualizer, rows, { hasOlder, isFollowing });
  useEffect(() => {
    if (!isFound && !isLoadingOlder) void loadOlder(conversationId);
  }, [isFound, isLoadingOlder, conversationId]);

  return (
    <div className="relative min-h-0 flex-1">
      <section
        ref={scroller}
        {...REACHABLE}
        aria-label="Conversation"
        className="h-full overflow-x-hidden overflow-y-auto px-4 outline-none [overflow-anchor:none] focus-visible:ring-2 focus-visible:ring-accent focus-visible:ring-inset"
      >
        {/* Rows come and go with the scroll; headings in them keep their order below one that stays. */}
        <h2 className="sr-only">Conversation</h2>
        <div className="relative mx-auto w-full max-w-[44rem]" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                data-row={row.kind}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${start}px)` }}
              >
                <Boundary key={row.key} fallback={UNDRAWN}>
                  <RowView row={row} />
                </Boundary>
              </div>
            );
          })}
        </div>
      </section>
      {isAtEnd ? null : (
        <IconButton
          label="Go to the end"
          look="plain"
          className="absolute bottom-3 left-1/2 -translate-x-1/2 shadow-float"
          onClick={() => {
            isFollowing.current = true;
            virtualizer.scrollToEnd({ behavior: "smooth" });
          }}
        >
          <ArrowDown />
        </IconButton>
      )}
    </div>
  );
}

const UNDRAWN = (
  <p className="py-2 text-sm text-faint">This part cannot be drawn. The inspector shows what it holds.</p>
);

const RowView = memo(({ row }: { readonly row: Row }) => {
  switch (row.kind) {
    case "prompt":
      return <PromptRow turn={row.turn} />;
    case "steer":
      return <SteerRow input={row.input} />;
    case "plan":
      return row.turn.plan === null ? null : <PlanCard plan={row.turn.plan} isLive={row.turn.closed_at === null} />;
    case "work":
      return <WorkRow turn={row.turn} isFolded={row.isFolded} />;
    case "round":
      return <RoundRow turn={row.turn} round={row.round} />;
    case "live":
      return <LiveRow turn={row.turn} />;
    case "answer":
      return <AnswerRow turn={row.turn} />;
    case "files":
      return <FilesRow turn={row.turn} />;
    case "end":
      return <EndRow turn={row.turn} />;
    case "pending":
      return <PendingRow pending={row.pending} />;
    case "outgoing":
      return <OutgoingRow outgoing={row.outgoing} />;
  }
});
