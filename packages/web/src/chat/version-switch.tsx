/** The number of the shown version of a turn, with buttons for the others: ‹2/3›. Each version is a conversation. */
import type { TurnView } from "@cairn/timeline";
import { ChevronLeft, ChevronRight, Columns2 } from "lucide-react";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { useApp } from "../state/app-state.ts";
import { noteSwitch, takeFocus } from "../state/switched-version.ts";
import { openVersion } from "../state/turn-actions.ts";
import { useVersionNames } from "../state/version-names.ts";
import { showTurns } from "../text/shown-directions.ts";
import { IconButton } from "../ui/button.tsx";
import { CompareVersions } from "./compare-versions.tsx";

export function VersionSwitch({ turn }: { readonly turn: TurnView }) {
  const versions = useApp((state) => state.session?.versions.find((each) => each.turn === turn.n));
  const removed = useApp((state) => state.removed);
  const nameOf = useVersionNames(turn.n);
  const [isComparing, setComparing] = useState(false);
  const shown = versions?.conversations[versions.current];
  const conversations = versions?.conversations.filter((id) => id === shown || !removed.has(id)) ?? [];
  const isShown = shown !== undefined && conversations.length > 1;
  const group = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const used = isShown ? takeFocus(shown, turn.n) : null;
    if (used === null) return;
    const buttons = [...(group.current?.querySelectorAll<HTMLElement>("button:not(:disabled)") ?? [])];
    (buttons.find(({ ariaLabel }) => ariaLabel === used) ?? buttons[0])?.focus({ preventScroll: true });
  }, [isShown, shown, turn.n]);
  if (!isShown) return null;
  const current = conversations.indexOf(shown);
  const name = nameOf(shown);
  const go = (index: number, { currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const to = conversations[index];
    if (to === undefined) return;
    const row = currentTarget.closest("[data-row]")?.getBoundingClientRect().top ?? 0;
    const list = currentTarget.closest("section")?.getBoundingClientRect().top ?? 0;
    noteSwitch({ to, n: turn.n, top: row - list, button: currentTarget.ariaLabel ?? "" });
    openVersion(to);
  };
  return (
    <fieldset ref={group} className="mt-1 flex items-center justify-end text-xs text-faint print:hidden">
      <legend className="sr-only">Versions of question {turn.n}</legend>
      {name === null ? null : (
        <span dir="auto" className="mr-1 min-w-0 truncate">
          {showTurns(name)}
        </span>
      )}
      <IconButton
        label="Previous version"
        size="small"
        disabled={current === 0}
        onClick={(event) => go(current - 1, event)}
      >
        <ChevronLeft />
      </IconButton>
      <span className="tabular-nums" aria-live="polite">
        {current + 1}/{conversations.length}
      </span>
      <IconButton
        label="Next version"
        size="small"
        disabled={current === conversations.length - 1}
        onClick={(event) => go(current + 1, event)}
      >
        <ChevronRight />
      </IconButton>
      <IconButton label="Compare versions" size="small" onClick={() => setComparing(true)}>
        <Columns2 />
      </IconButton>
      {isComparing ? (
        <CompareVersions
          n={turn.n}
          conversations={conversations}
          current={current}
          onClose={() => setComparing(false)}
        />
      ) : null}
    </fieldset>
  );
}
