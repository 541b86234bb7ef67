/** What changed from one version of a file to the next, line by line. */
import { diffLines } from "diff";
import { useMemo } from "react";
import { cx } from "../ui/class-names.ts";
import { REACHABLE } from "../ui/reachable.ts";
import { useFileText } from "./use-file-text.ts";

/** Unchanged lines that are shown around a change. */
const AROUND = 3;
const LONGEST = 400_000;

export function FileChanges({ before, after }: { readonly before: string; readonly after: string }) {
  const old = useFileText(before);
  const now = useFileText(after);
  const oldText = old.phase === "ready" ? old.text : null;
  const newText = now.phase === "ready" ? now.text : null;
  const lines = useMemo(
    () => (oldText === null || newText === null ? null : changedLines(oldText, newText)),
    [oldText, newText],
  );
  if (old.phase === "failed" || now.phase === "failed")
    return <p className="p-6 text-sm text-danger">One of the versions could not be loaded.</p>;
  if (lines === null) return <p className="p-6 text-sm text-faint">Comparing…</p>;
  if (lines.length === 0) return <p className="p-6 text-sm text-soft">The two versions are the same.</p>;
  return (
    <section {...REACHABLE} aria-label="Changes" className="code overflow-x-auto py-3">
      {lines.map(({ kind, text }, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a comparison never move.
          key={index}
          className={cx(
            "flex w-max min-w-full px-4",
            kind === "added" && "bg-[var(--added)]",
            kind === "removed" && "bg-[var(--removed)]",
          )}
        >
          <span className="w-5 shrink-0 text-faint select-none">
            {{ added: "+", removed: "−", same: " ", gap: "" }[kind]}
          </span>
          <span className={kind === "gap" ? "text-faint" : undefined}>
            {kind === "added" || kind === "removed" ? <span className="sr-only">{kind}: </span> : null}
            {text}
          </span>
        </div>
      ))}
    </section>
  );
}

export interface ChangedLine {
  readonly kind: "added" | "removed" | "same" | "gap";
  readonly text: string;
}

/** Changed lines with a few around them; none when nothing changed. */
export function changedLines(before: string, after: string): readonly ChangedLine[] {
  if (before === after) return [];
  if (before.length + after.length > LONGEST)
    return [{ kind: "gap", text: "The files are too large to compare here." }];
  const parts = diffLines(before, after);
  return parts.flatMap(({ value, added, removed }, index): ChangedLine[] => {
    const lines = value.replace(/\n$/, "").split("\n");
    if (added || removed) return lines.map((text) => ({ kind: added ? "added" : "removed", text }));
    const head = index === 0 ? [] : lines.slice(0, AROUND);
    const tail = index === parts.length - 1 ? [] : lines.slice(Math.max(head.length, lines.length - AROUND));
    const left = lines.length - head.length - tail.length;
    const gap: ChangedLine[] =
      left > 0 ? [{ kind: "gap", text: `⋯ ${left} ${left === 1 ? "line" : "lines"} the same` }] : [];
    const same = (text: string): ChangedLine => ({ kind: "same", text });
    return [...head.map(same), ...gap, ...tail.map(same)];
  });
}
