/**
 * The conversation as a list that renders only visible rows. While text streams in, the list stays at its end, unless
 * the reader has scrolled up. Older turns are added above without moving the visible rows.
 */
import { ArrowDown } from "lucide-react";
import { type ComponentType, memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { FoundRow } from "../find/found-row.tsx";
import { useApp } from "../state/app-state.ts";
import { loadOlder } from "../state/open-conversation.ts";
import { useStore } from "../state/store.ts";
import { Boundary } from "../ui/boundary.tsx";
import { IconButton } from "../ui/button.tsx";
import { REACHABLE } from "../ui/reachable.ts";
import { foldStore } from "./folds.ts";
import { ROW_KINDS } from "./row-kinds.ts";
import { belowOf } from "./row-list.ts";
import { type Row, rowsOf } from "./rows.ts";
import { useFoldsInPlace } from "./use-folds-in-place.ts";
import { useOpeningPlace } from "./use-opening-place.ts";
import { usePrinting } from "./use-printing.ts";
import { useRowList } from "./use-row-list.ts";

const NOTHING = { turns: [], pending: [], outgoing: [] } as const;
/** Distance from the top, in pixels, at which older turns are loaded. */
const NEAR_TOP = 1_200;
/** Distance from the end, in pixels, that counts as the end. */
const NEAR_END = 120;

export function ConversationRows({ conversationId }: { readonly conversationId: string }) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const turns = useApp((state) => state.session?.view.turns ?? NOTHING.turns);
  const pending = useApp((state) => state.session?.view.pending ?? NOTHING.pending);
  const outgoing = useApp((state) => state.session?.outgoing ?? NOTHING.outgoing);
  const hasOlder = useApp((state) => state.session?.hasOlder ?? false);
  const isLoadingOlder = useApp((state) => state.session?.isLoadingOlder ?? false);
  const folds = useStore(foldStore, (value) => value);
  const rows = useMemo(() => rowsOf({ turns, pending, outgoing, folds }), [turns, pending, outgoing, folds]);
  const [isNearEnd, setNearEnd] = useState(true);
  const isPrinting = usePrinting();
  const { list, window, rowRef, redraw } = useRowList({
    rows,
    scroller,
    content,
    isAway: isPrinting,
    onSettled: (element) => {
      setNearEnd(belowOf(element) < NEAR_END);
      const isWanted = !list.isAtEnd || element.scrollHeight <= element.clientHeight;
      if (hasOlder && isWanted && element.scrollTop < NEAR_TOP) void loadOlder(conversationId);
    },
  });

  const goToEnd = useCallback(() => {
    list.goToEnd();
    redraw();
  }, [list, redraw]);
  // A message that the user sends is scrolled into view from any place.
  const sent = useRef(outgoing.length);
  useLayoutEffect(() => {
    if (outgoing.length > sent.current) goToEnd();
    sent.current = outgoing.length;
  }, [goToEnd, outgoing.length]);
  useFoldsInPlace(list);
  const isFound = useOpeningPlace(list, { conversationId, rows, hasOlder, redraw });
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
        {/* Scrolling adds and removes rows, so their headings are below a heading that is always present. */}
        <h2 className="sr-only">Conversation</h2>
        {isPrinting ? (
          <PrintedRows rows={rows} hasOlder={hasOlder} />
        ) : (
          <div
            ref={content}
            className="mx-auto w-full max-w-[44rem]"
            style={{ paddingTop: window.before, paddingBottom: window.after }}
          >
            {/* The row must be positioned, or a hidden heading in it would make the page higher. */}
            {rows.slice(window.first, window.last).map((row) => (
              <div key={row.key} ref={rowRef} data-row={row.kind} className="relative flow-root">
                <DrawnRow row={row} />
              </div>
            ))}
          </div>
        )}
      </section>
      {isNearEnd || isPrinting ? null : (
        <IconButton
          label="Go to the end"
          look="plain"
          className="absolute bottom-3 left-1/2 -translate-x-1/2 shadow-float"
          onClick={goToEnd}
        >
          <ArrowDown />
        </IconButton>
      )}
    </div>
  );
}

/** The conversation in print: every loaded row, under its title. */
function PrintedRows({ rows, hasOlder }: { readonly rows: readonly Row[]; readonly hasOlder: boolean }) {
  const title = useApp((state) => state.session?.view.title ?? null);
  return (
    <div className="mx-auto w-full max-w-[44rem]">
      {title === null || title === "" ? null : (
        <p dir="auto" className="text-xl font-semibold">
          {title}
        </p>
      )}
      {hasOlder ? (
        <p className="mt-2 text-sm text-faint">
          Earlier turns are left out. “Print” in the menu of the conversation prints all of them.
        </p>
      ) : null}
      {rows.map((row) => (
        <DrawnRow key={row.key} row={row} />
      ))}
    </div>
  );
}

const UNDRAWN = <p className="py-2 text-sm text-faint">This part cannot be shown. The inspector shows its content.</p>;

const DrawnRow = memo(({ row }: { readonly row: Row }) => {
  const { key, ...shown } = row;
  const Kind = ROW_KINDS[row.kind] as ComponentType<typeof shown>;
  return (
    <Boundary key={key} fallback={UNDRAWN}>
      <FoundRow rowKey={key}>
        <Kind {...shown} />
      </FoundRow>
    </Boundary>
  );
});
