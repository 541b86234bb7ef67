/** A menu behind a button. Not modal, so that the page behind it is not affected. */
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "./class-names.ts";
import { useLayer } from "./layer.ts";

export interface MenuProps {
  /** The button that opens the menu. */
  readonly trigger: ReactNode;
  readonly align?: "start" | "end";
  readonly children: ReactNode;
}

export function Menu({ trigger, align = "end", children }: MenuProps) {
  const layer = useLayer();
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal {...layer}>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="print:hidden z-40 min-w-44 rounded-xl border border-line bg-surface p-1 shadow-float animate-rise"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export interface MenuItemProps {
  readonly icon?: ReactNode;
  readonly look?: "plain" | "danger";
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

export function MenuItem({ icon, look = "plain", onSelect, children }: MenuItemProps) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      className={cx(
        "flex cursor-pointer items-center gap-2 rounded-lg px-2.5 py-1.5 text-sm outline-none select-none",
        "data-highlighted:bg-hover [&_svg]:size-4 [&_svg]:text-faint",
        look === "danger" && "text-danger [&_svg]:text-danger",
      )}
    >
      {icon}
      {children}
    </DropdownMenu.Item>
  );
}
