/** Shows a comparison of two texts, line by line. */
import { cx } from "../ui/class-names.ts";
import { REACHABLE } from "../ui/reachable.ts";
import type { ChangedLine } from "./changed-lines.ts";

const SIGNS = { added: "+", removed: "−", same: " ", gap: "" } as const;
/** Maximum number of lines, so that the browser can lay them out quickly. */
const MAX_LINES = 2_000;

export interface ChangedTextProps {
  readonly label: string;
  readonly lines: readonly ChangedLine[];
  readonly className?: string;
}

export function ChangedText({ label, lines, className }: ChangedTextProps) {
  return (
    <section {...REACHABLE} aria-label={label} className={cx("code overflow-auto", className)}>
      {lines.slice(0, MAX_LINES).map(({ kind, text }, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a comparison never move.
          key={index}
          className={cx(
            "flex w-max min-w-full px-4 in-[.whitespace-pre-wrap]:w-auto in-[.whitespace-pre-wrap]:px-2.5",
            kind === "added" && "bg-[var(--added)]",
            kind === "removed" && "bg-[var(--removed)]",
          )}
        >
          <span className="w-5 shrink-0 text-faint select-none" aria-hidden="true">
            {SIGNS[kind]}
          </span>
          <span className={cx("min-w-0 flex-1", kind === "gap" && "text-faint")}>
            {kind === "added" || kind === "removed" ? <span className="sr-only">{kind}: </span> : null}
            {text}
          </span>
        </div>
      ))}
      {lines.length > MAX_LINES ? <p className="px-4 text-faint">… and {lines.length - MAX_LINES} more lines</p> : null}
    </section>
  );
}
