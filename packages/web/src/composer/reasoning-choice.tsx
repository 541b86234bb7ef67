/** How much the model reasons for the next messages. Shown only for language models. */
import { EFFORTS, MAX_REASONING_BUDGET } from "@cairn/timeline";
import { useApp } from "../state/app-state.ts";
import { chooseBudget, chooseEffort, useChosenReasoning } from "../state/chosen-reasoning.ts";

const LOOK =
  "h-7 min-w-0 [field-sizing:content] rounded-lg border border-transparent bg-transparent px-1.5 text-xs text-ellipsis text-soft hover:border-line hover:text-ink pointer-coarse:h-9";

export function ReasoningChoice() {
  const isOffline = useApp((state) => state.meta?.offline ?? true);
  const chosen = useChosenReasoning();
  if (isOffline) return null;
  return (
    <>
      <select
        aria-label="Reasoning"
        value={chosen?.effort ?? ""}
        onChange={(event) => chooseEffort(event.target.value)}
        className={`max-w-44 ${LOOK}`}
      >
        <option value="">usual reasoning</option>
        {EFFORTS.map((effort) => (
          <option key={effort} value={effort}>
            {effort === "none" ? "no reasoning" : `${effort} reasoning`}
          </option>
        ))}
      </select>
      <input
        type="number"
        aria-label="Reasoning budget in tokens"
        title="Reasoning budget in tokens, for models that take one"
        placeholder="budget"
        min={1}
        max={MAX_REASONING_BUDGET}
        value={chosen?.budget_tokens ?? ""}
        onChange={(event) => chooseBudget(event.target.value)}
        className={`max-w-24 placeholder:text-soft ${LOOK}`}
      />
    </>
  );
}
