/** The rows of a list; only visible rows are rendered. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useCallback, useEffect, useRef } from "react";
import { REACHABLE } from "../../ui/reachable.ts";

export interface VirtualItemsProps<T> {
  readonly name: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string | number;
  /** Approximate height of a row. */
  readonly height: number;
  /** The row to show when the list is opened. */
  readonly first?: number;
  /** Content above the rows that scrolls with them. */
  readonly above?: ReactNode;
  /** Called near the end of the rows, because there may be more. */
  readonly onNearEnd?: () => void;
  readonly children: (item: T, index: number) => ReactNode;
}

const NEAR_END = 20;

export function VirtualItems<T>(props: VirtualItemsProps<T>) {
  const { name, items, keyOf, height, first = 0, above, onNearEnd, children } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const latestKeyOf = useRef(keyOf);
  latestKeyOf.current = keyOf;
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    // The functions must stay the same for the same items, because a new function recalculates every row.
    getItemKey: useCallback(
      (index: number) => {
        const item = items[index];
        return item === undefined ? index : latestKeyOf.current(item);
      },
      [items],
    ),
    estimateSize: () => height,
    overscan: 6,
    paddingEnd: 24,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the list is opened.
  useEffect(() => {
    if (first > 0) virtualizer.scrollToIndex(first, { align: "center" });
  }, []);
  const last = virtualizer.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= items.length - NEAR_END) onNearEnd?.();
  }, [last, items.length, onNearEnd]);
  return (
    <section
      ref={scroller}
      {...REACHABLE}
      aria-label={name}
      className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto outline-none focus-visible:ring-2 focus-visible:ring-accent focus-visible:ring-inset"
    >
      {above}
      <ol className="relative m-0 list-none p-0" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const item = items[index];
          return item === undefined ? null : (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              {children(item, index)}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
