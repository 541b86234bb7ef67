/** A progress bar in the colours of the page. */
import { cx } from "./class-names.ts";

export interface ProgressBarProps {
  /** The name that screen readers announce. */
  readonly label: string;
  /** The progress, from 0 to 1. */
  readonly value: number;
  readonly className?: string;
}

export function ProgressBar({ label, value, className }: ProgressBarProps) {
  return (
    <progress
      value={value}
      max={1}
      aria-label={label}
      className={cx(
        "h-1.5 appearance-none overflow-hidden rounded-full bg-line [&::-webkit-progress-bar]:bg-line",
        "[&::-moz-progress-bar]:bg-accent [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-accent",
        className,
      )}
    />
  );
}
