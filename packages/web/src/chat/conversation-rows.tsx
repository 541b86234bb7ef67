/**
 * The conversation as a list that draws only what is in sight. It stays at its end while text comes in, unless the
 * reader has scrolled up, and older turns come in above without moving what is read.
 */
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { appStore } from "../state/app-state.ts";
import { loadOlder } from "../state/open-conversation.ts";
import { useStore } from "../state/store.ts";
import { IconButton } from "../ui/button.tsx";
import { REACHABLE } from "../ui/reachable.ts";
import { foldStore } from "./folds.ts";
import { PrintedRows } from "./printed-rows.tsx";
import { RowView } from "./row-view.tsx";
import { guessHeight, rowsOf } from "./rows.ts";
import {
  useFollowing,
  useOpeningPlace,
  useReaderMoves,
  useSamePlaceAfterPrint,
  useStayAtEnd,
} from "./scroll-habits.ts";
import { usePrinting } from "./use-printing.ts";

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
  const isPrinting = usePrinting();

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
      // Paper has no scroll: what it does to the list is nothing the reader did.
      if (isPrinting) return;
      setAtEnd(readerMoved(instance) < NEAR_END);
      // A list that opens stands at its top until it is at its end: older turns are for those who go up to them.
      const isGoingUp = !isFollowing.current || instance.getTotalSize() <= (instance.scrollRect?.height ?? 0);
      const isNearTop = (instance.scrollOffset ?? NEAR_TOP) < NEAR_TOP;
      if (hasOlder && isGoingUp && isNearTop) void loadOlder(conversationId);
    },
  });

  useStayAtEnd(virtualizer, scroller, isFollowing);
  useSamePlaceAfterPrint(virtualizer, isPrinting, isFollowing);
  // What the user sends is seen, wherever they were reading.
  useEffect(() => {
    if (outgoing.length > 0) virtualizer.scrollToEnd();
  }, [virtualizer, outgoing.length]);
  const isFound = useOpeningPlace(virtualizer, scroller, rows, { hasOlder, isFollowing });
  useEffect(() => {
    if (!isFound && !isLoadingOlder) void loadOlder(conversationId);
  }, [isFound, isLoadingOlder, conversationId]);

  return (
    <div className="relative min-h-0 flex-1">
      <section
        ref={scroller}
        {...REACHABLE}
        aria-label="Conversation"
        className="h-full overflow-x-hidden overflow-y-auto px-4 outline-none print:h-auto print:overflow-visible [overflow-anchor:none] focus-visible:ring-2 focus-visible:ring-accent focus-visible:ring-inset"
      >
        {/* Rows come and go with the scroll; headings in them keep their order below one that stays. */}
        <h2 className="sr-only">Conversation</h2>
        {isPrinting ? <PrintedRows rows={rows} hasOlder={hasOlder} /> : null}
        <div
          className="relative mx-auto w-full max-w-[44rem]"
          style={{ height: isPrinting ? 0 : virtualizer.getTotalSize() }}
        >
          {(isPrinting ? [] : virtualizer.getVirtualItems()).map(({ index, key, start }) => {
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
                <RowView row={row} />
              </div>
            );
          })}
        </div>
      </section>
      {isAtEnd || isPrinting ? null : (
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
