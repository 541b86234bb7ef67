/** Shows the reasoning that led to a step, folded at first. */
import { Brain, ChevronRight } from "lucide-react";
import { cx } from "../ui/class-names.ts";
import { useFold } from "./folds.ts";

/** `id`: the id of the step. */
export function Thinking({ id, text }: { readonly id: string; readonly text: string }) {
  const [isOpen, setOpen] = useFold(`${id} thinking`, false);
  return (
    <section aria-label="Reasoning">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex items-center gap-1.5 rounded-md py-1 text-xs text-faint hover:text-ink [&>svg]:size-3.5"
      >
        <Brain aria-hidden="true" /> Reasoning
        <ChevronRight className={cx("transition-transform", isOpen && "rotate-90")} aria-hidden="true" />
      </button>
      {isOpen ? (
        <p className="max-h-96 overflow-y-auto border-l border-line pl-3 text-sm whitespace-pre-wrap text-soft italic">
          {text}
        </p>
      ) : null}
    </section>
  );
}
