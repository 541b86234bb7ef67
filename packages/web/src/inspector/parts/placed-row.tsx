/** A row of a virtual list, positioned at its distance from the beginning. */
import type { ReactNode } from "react";

export interface PlacedRowProps {
  readonly index: number;
  /** Distance from the beginning of the list, in pixels. */
  readonly top: number;
  /** The virtualizer's function that measures a row. */
  readonly measure: (element: HTMLDivElement | null) => void;
  readonly children: ReactNode;
}

export function PlacedRow({ index, top, measure, children }: PlacedRowProps) {
  return (
    <div
      ref={measure}
      data-index={index}
      className="absolute inset-x-0 top-0"
      style={{ transform: `translateY(${top}px)` }}
    >
      {children}
    </div>
  );
}
