/** A name that appears beside a control when the pointer or the keyboard rests on it. */
import { Tooltip } from "radix-ui";
import type { ReactNode } from "react";
import { Keys } from "./keys.tsx";

export interface HintProps {
  readonly label: string;
  readonly shortcut?: string;
  readonly side?: "top" | "bottom" | "left" | "right";
  readonly children: ReactNode;
}

export function Hint({ label, shortcut, side = "top", children }: HintProps) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex items-center gap-2 rounded-md bg-ink px-2 py-1 text-xs text-paper shadow-float animate-fade"
        >
          {label}
          {shortcut === undefined ? null : <Keys keys={shortcut} inverted />}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
