/** Buttons: primary (one in each place), secondary, and icon buttons with a name. */
import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { cx } from "./class-names.ts";

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: "strong" | "plain" | "quiet" | "danger";
  readonly size?: "small" | "normal";
  readonly icon?: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

const LOOKS = {
  strong: "bg-accent text-on-accent hover:bg-accent-strong border-transparent",
  plain: "bg-surface text-ink border-line hover:border-line-strong hover:bg-hover",
  quiet: "bg-transparent text-soft border-transparent hover:bg-hover hover:text-ink",
  danger: "bg-surface text-danger border-line hover:bg-danger-soft hover:border-danger",
} as const;

export function Button({ look = "plain", size = "normal", icon, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={cx(
        "inline-flex items-center justify-center gap-1.5 rounded-lg border font-medium transition-colors select-none",
        "disabled:opacity-50 disabled:cursor-not-allowed whitespace-nowrap",
        size === "small" ? "h-7 px-2.5 text-xs" : "h-9 px-3.5 text-sm",
        LOOKS[look],
        className,
      )}
    >
      {icon}
      {children}
    </button>
  );
}

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "aria-label"> {
  /** Name of the button, read by screen readers and shown on hover. */
  readonly label: string;
  readonly shortcut?: string;
  readonly look?: "quiet" | "strong" | "plain";
  readonly size?: "small" | "normal";
  readonly ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ label, shortcut, look = "quiet", size = "normal", className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      data-hint={label}
      {...(shortcut === undefined ? {} : { "data-keys": shortcut })}
      className={cx(
        "inline-grid shrink-0 place-items-center rounded-lg border transition-colors",
        "disabled:cursor-not-allowed disabled:opacity-40 aria-pressed:bg-accent-soft aria-pressed:text-accent",
        "[&_svg]:size-4",
        size === "small" ? "size-7 pointer-coarse:size-9" : "size-9",
        LOOKS[look],
        className,
      )}
    />
  );
}
