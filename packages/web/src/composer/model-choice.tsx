/** The model for the next messages, if the server has more than one. */
import { useApp } from "../state/app-state.ts";
import { chooseModel, useChosenModel } from "../state/chosen-model.ts";

const NONE: readonly string[] = [];

export function ModelChoice() {
  const models = useApp((state) => state.meta?.models ?? NONE);
  const chosen = useChosenModel();
  if (models.length < 2) return null;
  return (
    <select
      aria-label="Model"
      value={chosen !== null && models.includes(chosen) ? chosen : ""}
      onChange={(event) => chooseModel(event.target.value === "" ? null : event.target.value)}
      className="h-7 max-w-44 min-w-0 [field-sizing:content] rounded-lg border border-transparent bg-transparent px-1.5 font-mono text-xs text-ellipsis text-soft hover:border-line hover:text-ink pointer-coarse:h-9"
    >
      <option value="">usual model</option>
      {models.map((model) => (
        <option key={model} value={model}>
          {model}
        </option>
      ))}
    </select>
  );
}
