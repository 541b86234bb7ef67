/** A summary of a turn's rounds in one line that folds and unfolds them. */
import type { TurnView } from "@cairn/timeline";
import { ChevronRight, TriangleAlert } from "lucide-react";
import { formatDuration } from "../text/format-time.ts";
import { cx } from "../ui/class-names.ts";
import { describeFailures, describeWork } from "./describe-round.ts";
import { setFold } from "./folds.ts";

export function WorkRow({ turn, isFolded }: { readonly turn: TurnView; readonly isFolded: boolean }) {
  const count = turn.rounds.length;
  const took = formatDuration(turn.opened_at, turn.closed_at);
  const failures = describeFailures(turn.rounds);
  return (
    <button
      type="button"
      aria-expanded={!isFolded}
      onClick={() => setFold(turn.turn_id, !isFolded)}
      className="mt-3 flex w-full items-center gap-2 rounded-lg py-1 text-left text-sm text-soft hover:text-ink"
    >
      <ChevronRight
        className={cx("size-4 shrink-0 transition-transform", !isFolded && "rotate-90")}
        aria-hidden="true"
      />
      <span className="min-w-0 truncate">{turn.closed_at === null ? "Working" : describeWork(turn.rounds)}</span>
      <span className="shrink-0 text-xs text-faint tabular-nums">
        {count} {count === 1 ? "step" : "steps"}
        {took === "" ? "" : ` · ${took}`}
      </span>
      {failures === "" ? null : (
        <span className="flex shrink-0 items-center gap-1 text-xs text-danger">
          <TriangleAlert className="size-3.5" aria-hidden="true" />
          {failures}
        </span>
      )}
    </button>
  );
}
