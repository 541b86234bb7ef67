/** A list and the chosen item: side by side if there is space, otherwise one at a time. */
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "../../route/link.tsx";
import type { Route } from "../../route/route.ts";
import { cx } from "../../ui/class-names.ts";
import { REACHABLE } from "../../ui/reachable.ts";

export interface SplitViewProps {
  readonly list: ReactNode;
  /** The details of the chosen item; null when none is chosen. */
  readonly details: ReactNode | null;
  /** The name of the chosen item. */
  readonly detailsName: string;
  readonly back: Route;
  readonly backName: string;
}

export function SplitView({ list, details, detailsName, back, backName }: SplitViewProps) {
  const isChosen = details !== null;
  return (
    <div className="flex min-h-0 flex-1">
      <div
        className={cx(
          "min-h-0 min-w-0 flex-1 flex-col",
          isChosen ? "hidden @3xl:flex @3xl:max-w-[24rem] @3xl:border-r @3xl:border-line" : "flex",
        )}
      >
        {list}
      </div>
      {isChosen ? (
        <section
          {...REACHABLE}
          aria-label={detailsName}
          className="min-h-0 min-w-0 flex-1 overflow-x-hidden overflow-y-auto"
        >
          <Link
            to={back}
            className="sticky top-0 z-10 flex items-center gap-1.5 border-b border-line bg-paper px-4 py-2 text-xs text-soft hover:text-ink @3xl:hidden"
          >
            <ArrowLeft className="size-3.5" aria-hidden="true" /> {backName}
          </Link>
          {details}
        </section>
      ) : null}
    </div>
  );
}
