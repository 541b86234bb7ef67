/** The plan of a turn, with a mark for each step. */
import type { TurnView } from "@cairn/timeline";
import { Check, Circle, CircleDot, X } from "lucide-react";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { useFold } from "./folds.ts";
import { stepsInSight } from "./plan-steps.ts";

const MARKS = {
  done: { icon: <Check />, name: "done", look: "text-accent" },
  failed: { icon: <X />, name: "failed", look: "text-danger" },
  in_progress: { icon: <CircleDot />, name: "in progress", look: "text-ochre [&_svg]:animate-breathe" },
  pending: { icon: <Circle />, name: "to do", look: "text-faint" },
} as const;

export function PlanCard({ turn }: { readonly turn: TurnView }) {
  const [isWhole, setWhole] = useFold(`${turn.turn_id} plan`, false);
  const { plan } = turn;
  if (plan === null) return null;
  const isLive = turn.closed_at === null;
  const count = plan.steps.length;
  const done = plan.steps.filter(({ status }) => status === "done").length;
  const { from, to } = stepsInSight(plan, isWhole);
  return (
    <section aria-label="Plan" className="mt-3 rounded-xl border border-line bg-surface px-4 py-3">
      <h3 className="mb-1.5 flex items-baseline justify-between text-xs font-semibold text-soft">
        Plan
        <span className="font-normal text-faint tabular-nums">
          {done} of {count}
        </span>
      </h3>
      <ol className="flex flex-col gap-1" start={from + 1}>
        {plan.steps.slice(from, to).map(({ text, status }, index) => {
          const { icon, name, look } = MARKS[status];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its number.
            <li key={from + index} className="flex items-start gap-2.5 text-sm">
              <span className={cx("mt-0.5 [&_svg]:size-4", isLive || status !== "in_progress" ? look : "text-faint")}>
                {icon}
              </span>
              <span dir="auto" className={cx("min-w-0 [overflow-wrap:anywhere]", status === "done" && "text-soft")}>
                {text}
                <span className="sr-only"> ({name})</span>
              </span>
            </li>
          );
        })}
      </ol>
      {isWhole || to - from === count ? null : (
        <Button size="small" look="quiet" className="-ml-2.5 mt-1" onClick={() => setWhole(true)}>
          All {count} steps
        </Button>
      )}
    </section>
  );
}
