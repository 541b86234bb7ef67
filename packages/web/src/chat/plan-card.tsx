/** The plan of a turn, with a mark for each step that changes as the work goes on. */
import type { PlanView } from "@cairn/timeline";
import { Check, Circle, CircleDot, X } from "lucide-react";
import { cx } from "../ui/class-names.ts";

const MARKS = {
  done: { icon: <Check />, name: "done", look: "text-accent" },
  failed: { icon: <X />, name: "failed", look: "text-danger" },
  in_progress: { icon: <CircleDot />, name: "in progress", look: "text-ochre [&_svg]:animate-breathe" },
  pending: { icon: <Circle />, name: "to do", look: "text-faint" },
} as const;

export function PlanCard({ plan, isLive }: { readonly plan: PlanView; readonly isLive: boolean }) {
  const done = plan.steps.filter(({ status }) => status === "done").length;
  return (
    <section aria-label="Plan" className="mt-3 rounded-xl border border-line bg-surface px-4 py-3">
      <h3 className="mb-1.5 flex items-baseline justify-between text-xs font-semibold text-soft">
        Plan
        <span className="font-normal text-faint tabular-nums">
          {done} of {plan.steps.length}
        </span>
      </h3>
      <ol className="flex flex-col gap-1">
        {plan.steps.map(({ text, status }, index) => {
          const { icon, name, look } = MARKS[status];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its number.
            <li key={index} className="flex items-start gap-2.5 text-sm">
              <span className={cx("mt-0.5 [&_svg]:size-4", isLive || status !== "in_progress" ? look : "text-faint")}>
                {icon}
              </span>
              <span className={status === "done" ? "text-soft" : undefined}>
                {text}
                <span className="sr-only"> ({name})</span>
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
