/** How much the model reasons for the next messages. With the offline model, the control says why there is no choice. */
import { EFFORTS, MAX_REASONING_BUDGET } from "@cairn/timeline";
import { useApp } from "../state/app-state.ts";
import { useChosenModel } from "../state/chosen-model.ts";
import { chooseBudget, chooseEffort, useChosenReasoning } from "../state/chosen-reasoning.ts";

const OFFLINE = "offline";
const LOOK =
  "h-7 min-w-0 [field-sizing:content] rounded-lg border border-transparent bg-transparent px-1.5 text-xs text-ellipsis text-soft hover:border-line hover:text-ink pointer-coarse:h-9";

export function ReasoningChoice() {
  const isOffline = useApp((state) => state.meta?.offline ?? null);
  const model = useChosenModel();
  const chosen = useChosenReasoning();
  if (isOffline === null) return null;
  if (isOffline || model === OFFLINE)
    return (
      <select
        aria-label="Reasoning"
        title="The offline model follows rules and does not reason. Configure a language model with CAIRN_MODEL to choose."
        disabled
        className={`min-w-0 appearance-none disabled:cursor-not-allowed disabled:text-faint ${LOOK}`}
      >
        <option>no reasoning with the offline model</option>
      </select>
    );
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
