/** The user's cost in all conversations over the last days, loaded when it is opened. */
import type { SpentDay } from "@cairn/api";
import { useCallback, useState } from "react";
import { formatCost, formatShort } from "../../text/format-count.ts";
import { listSpentDays } from "../data/inspector-api.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { Problem, Waiting } from "../parts/states.tsx";

const DAYS = 14;

export function SpentDays({ conversationId }: { readonly conversationId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="text-xs" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer text-soft hover:text-ink">Your cost over {DAYS} days</summary>
      {isOpen ? <DayBars conversationId={conversationId} /> : null}
    </details>
  );
}

function DayBars({ conversationId }: { readonly conversationId: string }) {
  const load = useCallback((signal: AbortSignal) => listSpentDays(DAYS, { signal }), []);
  const { value: days, problem, reload } = useLoaded(conversationId, "spent", load);
  if (days === null)
    return problem === null ? (
      <Waiting label="Loading the cost" />
    ) : (
      <Problem title="The cost could not be loaded" problem={problem} onRetry={reload} />
    );
  const sum = (part: "dollars" | "tokens") => days.reduce((total, day) => total + day[part], 0);
  // The share of a model is computed from its tokens if a price is unknown.
  const part = sum("dollars") > 0 ? "dollars" : "tokens";
  const most = Math.max(1e-9, ...days.map((day) => day[part]));
  return (
    <div className="flex flex-col gap-1.5 pt-2">
      <p className="tabular-nums">
        <span className="font-semibold">{amountOf({ dollars: sum("dollars"), tokens: sum("tokens") })}</span>{" "}
        <span className="text-faint">in all your conversations, deleted ones included</span>
      </p>
      <ol aria-label="Cost by day" className="flex items-end gap-1">
        {days.map((day) => (
          <li
            key={day.from}
            title={`${dateOf(day)}: ${amountOf(day)}`}
            className="flex min-w-0 flex-1 flex-col items-stretch gap-0.5 text-center"
          >
            <span aria-hidden="true" className="flex h-12 items-end overflow-hidden rounded-sm bg-sunken">
              <span
                data-part="cost"
                className="w-full bg-[var(--part)]"
                style={{ height: day[part] === 0 ? 0 : `max(2px, ${(day[part] / most) * 100}%)` }}
              />
            </span>
            <span aria-hidden="true" className="text-2xs text-faint tabular-nums">
              {new Date(day.from).getDate()}
            </span>
            <span className="sr-only">
              {dateOf(day)}: {amountOf(day)}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

const date = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "long" });

function dateOf({ from }: SpentDay): string {
  return date.format(new Date(from));
}

function amountOf({ dollars, tokens }: Pick<SpentDay, "dollars" | "tokens">): string {
  if (tokens === 0) return "nothing";
  return dollars === 0 ? `${formatShort(tokens)} tokens` : `${formatCost(dollars)}, ${formatShort(tokens)} tokens`;
}
