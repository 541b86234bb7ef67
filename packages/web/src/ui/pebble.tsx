/** A small status symbol with a colour and a shape. The words are beside it. */
import { cx } from "./class-names.ts";

export type PebbleTone = "faint" | "accent" | "ochre" | "danger";

const TONES: Readonly<Record<PebbleTone, string>> = {
  faint: "bg-[var(--stone-3)]",
  accent: "bg-[var(--stone-1)]",
  ochre: "bg-ochre",
  danger: "bg-danger",
};

export function Pebble({ tone, alive = false }: { readonly tone: PebbleTone; readonly alive?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        "inline-block h-2 w-2.5 shrink-0 rounded-[55%_45%_50%_50%/60%_55%_45%_40%]",
        TONES[tone],
        alive && "animate-breathe",
      )}
    />
  );
}
