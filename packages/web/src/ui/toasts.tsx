/** Short messages above the composer, or at the end of a page without one. Screen readers announce them. */
import { Check, TriangleAlert, X } from "lucide-react";
import { closeToast, useApp } from "../state/app-state.ts";
import { Button, IconButton } from "./button.tsx";
import { cx } from "./class-names.ts";

export function Toasts() {
  const toasts = useApp((state) => state.toasts);
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 print:hidden bottom-[calc(var(--composer-height,0px)+0.5rem)] z-50 flex flex-col items-center gap-2 px-4"
    >
      {toasts.map(({ id, kind, text, action }) => (
        <div
          key={id}
          className={cx(
            "pointer-events-auto flex max-w-lg items-center gap-2.5 rounded-xl border bg-surface py-1.5 pr-1.5 pl-3.5 text-sm shadow-float animate-rise",
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
