/** The names of icon buttons (`data-hint`, `data-keys`), which one element of the page shows on hover or focus. */
import { useEffect, useRef, useState } from "react";
import { Keys } from "./keys.tsx";

interface Hint {
  readonly label: string;
  readonly keys: string | null;
  readonly x: number;
  readonly y: number;
  readonly isBelow: boolean;
}

const REST_MS = 500;
const ROOM_ABOVE = 48;

export function HintLayer() {
  const [hint, setHint] = useState<Hint | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const show = (target: EventTarget | null, ms: number) => {
      clearTimeout(timer.current);
      const element = target instanceof Element ? target.closest("[data-hint]") : null;
      if (!(element instanceof HTMLElement)) return setHint(null);
      timer.current = setTimeout(() => setHint(hintOf(element)), ms);
    };
    const hide = () => show(null, 0);
    const over = (event: PointerEvent) => {
      if (event.pointerType === "mouse") show(event.target, REST_MS);
    };
    const focus = (event: FocusEvent) => {
      if (event.target instanceof Element && event.target.matches(":focus-visible")) show(event.target, 0);
    };
    const listeners = {
      pointerover: over,
      focusin: focus,
      focusout: hide,
      pointerdown: hide,
      keydown: hide,
      scroll: hide,
    };
    const entries = Object.entries(listeners) as [string, EventListener][];
    for (const [name, listener] of entries) document.addEventListener(name, listener, true);
    return () => {
      clearTimeout(timer.current);
      for (const [name, listener] of entries) document.removeEventListener(name, listener, true);
    };
  }, []);
  if (hint === null) return null;
  return (
    <div
      key={`${hint.label} ${hint.x} ${hint.y}`}
      // A popover is drawn above everything else, including dialogs.
      popover="manual"
      ref={(element) => element?.showPopover()}
      aria-hidden="true"
      className="pointer-events-none fixed inset-auto m-0 flex w-max items-center gap-2 rounded-md bg-ink px-2 py-1 text-xs text-paper shadow-float animate-fade"
      style={{ left: hint.x, top: hint.y, transform: `translate(-50%, ${hint.isBelow ? "0" : "-100%"})` }}
    >
      {hint.label}
      {hint.keys === null ? null : <Keys keys={hint.keys} inverted />}
    </div>
  );
}

/** Above the element, or below it if there is no space above. Always within the page. */
function hintOf(element: HTMLElement): Hint | null {
  if (!element.isConnected) return null;
  const { left, width, top, bottom } = element.getBoundingClientRect();
  const label = element.dataset.hint ?? "";
  const half = label.length * 3.6 + 24;
  const isBelow = top < ROOM_ABOVE;
  return {
    label,
    keys: element.dataset.keys ?? null,
    x: Math.min(Math.max(left + width / 2, half), globalThis.innerWidth - half),
    y: isBelow ? bottom + 6 : top - 6,
    isBelow,
  };
}
