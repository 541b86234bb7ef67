/** A dialog on the browser's own element, which traps and restores the focus without adding styles to the page. */
import { X } from "lucide-react";
import { type ReactNode, useId, useLayoutEffect, useState } from "react";
import { IconButton } from "./button.tsx";
import { cx } from "./class-names.ts";
import { LayerContext } from "./layer.ts";
import { Toasts } from "./toasts.tsx";

export interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  /** `wide` for documents, `drawer` for a panel from the left. */
  readonly shape?: "normal" | "wide" | "drawer";
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

const SHAPES = {
  normal: "m-auto w-[min(32rem,calc(100vw-2rem))] max-h-[85dvh] rounded-2xl animate-rise",
  wide: "m-auto w-[min(64rem,calc(100vw-1rem))] h-[min(56rem,calc(100dvh-1rem))] max-h-none max-w-none rounded-2xl animate-rise",
  drawer: "m-0 h-dvh max-h-none w-[min(19rem,86vw)] animate-fade",
} as const;

export function Dialog(props: DialogProps) {
  return props.isOpen ? <OpenDialog {...props} /> : null;
}

function OpenDialog({ onClose, title, shape = "normal", actions, children }: DialogProps) {
  const [dialog, setDialog] = useState<HTMLDialogElement | null>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    if (dialog === null) return;
    dialog.showModal();
    // Focuses the requested field, or else the title: a focused button would show its name and take the first Escape.
    (dialog.querySelector<HTMLElement>("[data-first-focus]") ?? dialog.querySelector("h2"))?.focus();
    // The dialog is closed before it is removed, because only then the browser restores the focus.
    return () => dialog.close();
  }, [dialog]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog already; the click is for those with a pointer.
    <dialog
      ref={setDialog}
      aria-labelledby={titleId}
      onClose={onClose}
      onCancel={(event) => {
        // An Escape inside a menu of the dialog closes only the menu.
        if (event.target === event.currentTarget) onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
      className={cx(
        "overflow-hidden border border-line bg-surface p-0 text-ink shadow-float",
        "backdrop:bg-[rgb(10_16_12/45%)]",
        SHAPES[shape],
      )}
    >
      <div className="flex h-full max-h-[inherit] flex-col">
        <div
          className={cx("flex items-center gap-2 border-b border-line py-2 pr-2 pl-4", shape === "drawer" && "sr-only")}
        >
          <h2 id={titleId} tabIndex={-1} className="min-w-0 flex-1 truncate text-sm font-semibold outline-none">
            {title}
          </h2>
          {actions}
          <IconButton label="Close" size="small" onClick={onClose}>
            <X />
          </IconButton>
        </div>
        <div className="min-h-0 flex-1 overflow-auto">
          <LayerContext value={dialog}>{children}</LayerContext>
        </div>
        <Toasts place="dialog" />
      </div>
    </dialog>
  );
}
