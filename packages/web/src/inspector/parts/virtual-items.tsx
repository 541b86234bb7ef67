/** Rows of a list, of which only those in sight are drawn. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";
import { REACHABLE } from "../../ui/reachable.ts";

export interface VirtualItemsProps<T> {
  readonly name: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string | number;
  /** The height of a row, about. */
  readonly height: number;
  /** The row to show when the list is opened. */
  readonly first?: number;
  readonly children: (item: T) => ReactNode;
}

export function VirtualItems<T>({ name, items, keyOf, height, first = 0, children }: VirtualItemsProps<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
    estimateSize: () => height,
    overscan: 6,
    paddingEnd: 24,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the list is opened.
  useEffect(() => {
    if (first > 0) virtualizer.scrollToIndex(first, { align: "center" });
  }, []);
  return (
    <section
      ref={scroller}
      {...REACHABLE}
      aria-label={name}
      className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto outline-none focus-visible:ring-2 focus-visible:ring-accent focus-visible:ring-inset"
    >
      <ul className="relative m-0 list-none p-0" style={{ height: virtualizer.getTotalSize() }}>
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
              {children(item)}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
