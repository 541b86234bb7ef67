/**
 * Short messages in the flow of the page, so that they cover nothing: above the composer, or at the end of a dialog, of
 * the inspector or of a page without a composer. Screen readers announce them.
 */
import { Check, TriangleAlert, X } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { closeToast, useApp } from "../state/app-state.ts";
import { createStore, useStore } from "../state/store.ts";
import { Button, IconButton } from "./button.tsx";
import { cx } from "./class-names.ts";

/** Places for toasts, each with its rank. The place with the highest rank shows the toasts; of equal ones, the last. */
const RANKS = { page: 0, chat: 1, inspector: 2, dialog: 3 } as const;
interface Place {
  readonly rank: number;
}
const places = createStore<readonly Place[]>([]);

function shownPlace(all: readonly Place[]): Place | null {
  return all.reduce<Place | null>((best, each) => (each.rank >= (best?.rank ?? 0) ? each : best), null);
}

export function Toasts({ place }: { readonly place: keyof typeof RANKS }) {
  const own = useRef<Place>({ rank: RANKS[place] }).current;
  useLayoutEffect(() => {
    places.update((all) => [...all, own]);
    return () => places.update((all) => all.filter((each) => each !== own));
  }, [own]);
  const isShown = useStore(places, (all) => shownPlace(all) === own);
  const toasts = useApp((state) => state.toasts);
  return (
    <div role="status" aria-live="polite" className="flex flex-col items-center px-4 print:hidden">
      {(isShown ? toasts : []).map(({ id, kind, text, action }) => (
        <div
          key={id}
          className={cx(
            "mb-2 flex max-w-lg first:mt-2 items-center gap-2.5 rounded-xl border bg-surface py-1.5 pr-1.5 pl-3.5 text-sm shadow-float animate-rise",
            kind === "problem" ? "border-danger text-danger" : "border-line",
          )}
        >
          {kind === "problem" ? (
            <TriangleAlert className="size-4 shrink-0" />
          ) : (
            <Check className="size-4 shrink-0 text-accent" />
          )}
          <span className="min-w-0 flex-1">{text}</span>
          {action === undefined ? null : (
            <Button size="small" onClick={action.run}>
              {action.label}
            </Button>
          )}
          <IconButton label="Dismiss" size="small" onClick={() => closeToast(id)}>
            <X />
          </IconButton>
        </div>
      ))}
    </div>
  );
}
