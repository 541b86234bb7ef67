/** A text with the searched words highlighted, case-insensitive. */
import type { ReactNode } from "react";

const MAX_MARKS = 200;

export function Marked({ text, words }: { readonly text: string; readonly words: string }): ReactNode {
  const wanted = words.trim().toLowerCase();
  const lower = text.toLowerCase();
  // If lower case changes the length of the text, nothing is highlighted, because the positions would be wrong.
  if (wanted === "" || lower.length !== text.length) return text;
  const parts: ReactNode[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0 && parts.length < MAX_MARKS * 2; at = lower.indexOf(wanted, from)) {
    parts.push(text.slice(from, at));
    from = at + wanted.length;
    parts.push(
      <mark key={at} className="rounded-sm bg-[var(--mark)] text-ink">
        {text.slice(at, from)}
      </mark>,
    );
  }
  return [...parts, text.slice(from)];
}
