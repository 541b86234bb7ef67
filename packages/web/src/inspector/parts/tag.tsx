/** Shows a short label on a row. */
import type { BlockState } from "@cairn/api";
import type { ReactNode } from "react";
import { cx } from "../../ui/class-names.ts";

export type Tone = "plain" | "accent" | "ochre" | "danger";

const TONES: Readonly<Record<Tone, string>> = {
  plain: "bg-sunken text-soft",
  accent: "bg-accent-soft text-accent-strong",
  ochre: "bg-ochre-soft text-ochre",
  danger: "bg-danger-soft text-danger",
};

export function Tag({ tone = "plain", children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <span
      className={cx("inline-flex max-w-full shrink-0 items-center rounded-md px-1.5 text-2xs font-medium", TONES[tone])}
    >
      {children}
    </span>
  );
}

export function toneOf(state: BlockState): Tone {
  return state === "visible" ? "plain" : "ochre";
}
