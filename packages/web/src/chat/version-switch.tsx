/** Which version of a turn is shown, and the way to the others: ‹2/3›. Each version is a conversation of its own. */
import type { TurnView } from "@cairn/timeline";
import { ChevronLeft, ChevronRight, Columns2 } from "lucide-react";
import { useState } from "react";
import { useApp } from "../state/app-state.ts";
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
  if (shown === undefined || conversations.length < 2) return null;
  const current = conversations.indexOf(shown);
  const name = nameOf(shown);
  const go = (index: number) => {
    const id = conversations[index];
    if (id !== undefined) openVersion(id);
  };
  return (
    <fieldset className="mt-1 flex items-center justify-end text-xs text-faint print:hidden">
      <legend className="sr-only">Versions of question {turn.n}</legend>
      {name === null ? null : (
        <span dir="auto" className="mr-1 min-w-0 truncate">
          {showTurns(name)}
        </span>
      )}
      <IconButton label="Previous version" size="small" disabled={current === 0} onClick={() => go(current - 1)}>
        <ChevronLeft />
      </IconButton>
      <span className="tabular-nums" aria-live="polite">
        {current + 1}/{conversations.length}
      </span>
      <IconButton
        label="Next version"
        size="small"
        disabled={current === conversations.length - 1}
        onClick={() => go(current + 1)}
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
