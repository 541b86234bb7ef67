/** The differences between two texts, line by line. */
import { diffLines } from "diff";

/** Number of unchanged lines shown around a change. */
const AROUND = 3;
const MAX_LENGTH = 400_000;

export interface ChangedLine {
  readonly kind: "added" | "removed" | "same" | "gap";
  readonly text: string;
}

/** Changed lines with some context; empty when nothing changed. */
export function changedLines(before: string, after: string): readonly ChangedLine[] {
  if (before === after) return [];
  if (before.length + after.length > MAX_LENGTH) return [{ kind: "gap", text: "They are too large to compare here." }];
  const parts = diffLines(before, after);
  return parts.flatMap(({ value, added, removed }, index): ChangedLine[] => {
    const lines = value.replace(/\n$/, "").split("\n");
    if (added || removed) return lines.map((text) => ({ kind: added ? "added" : "removed", text }));
    const head = index === 0 ? [] : lines.slice(0, AROUND);
    const tail = index === parts.length - 1 ? [] : lines.slice(Math.max(head.length, lines.length - AROUND));
    const left = lines.length - head.length - tail.length;
    const gap: ChangedLine[] =
      left > 0 ? [{ kind: "gap", text: `⋯ ${left} unchanged ${left === 1 ? "line" : "lines"}` }] : [];
    const same = (text: string): ChangedLine => ({ kind: "same", text });
    return [...head.map(same), ...gap, ...tail.map(same)];
  });
}
