/** A line at the top of a pane with a problem and what happens next. */
import type { ReactNode } from "react";
import { cx } from "./class-names.ts";

export interface BannerProps {
  readonly tone: "ochre" | "danger" | "accent";
  readonly icon?: ReactNode;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

const TONES = {
  ochre: "bg-ochre-soft text-ochre",
  danger: "bg-danger-soft text-danger",
  accent: "bg-accent-soft text-accent-strong",
} as const;

export function Banner({ tone, icon, children, action }: BannerProps) {
  return (
    <div
      className={cx(
        "flex items-center gap-2.5 rounded-stone px-3 py-2 text-sm [&>svg]:size-4 [&>svg]:shrink-0",
        TONES[tone],
      )}
    >
      {icon}
      <div className="min-w-0 flex-1">{children}</div>
      {action}
    </div>
  );
}
