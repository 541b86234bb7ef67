/** How much the model reasons for the next messages, where there is a language model. */
import { useApp } from "../state/app-state.ts";
import { chooseEffort, OFFERED_EFFORTS, useChosenEffort } from "../state/chosen-effort.ts";

export function EffortChoice() {
  const isOffline = useApp((state) => state.meta?.offline ?? true);
  const chosen = useChosenEffort();
  if (isOffline) return null;
  return (
    <select
      aria-label="Reasoning"
      value={chosen ?? ""}
      onChange={(event) => chooseEffort(event.target.value)}
      className="h-7 max-w-44 min-w-0 [field-sizing:content] rounded-lg border border-transparent bg-transparent px-1.5 text-xs text-ellipsis text-soft hover:border-line hover:text-ink pointer-coarse:h-9"
    >
      <option value="">usual reasoning</option>
      {OFFERED_EFFORTS.map((effort) => (
        <option key={effort} value={effort}>
          {effort === "none" ? "no reasoning" : `${effort} reasoning`}
        </option>
      ))}
    </select>
  );
}
