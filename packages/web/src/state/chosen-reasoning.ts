/** How much the model reasons for the next messages. It lasts as long as the page. */
import { EFFORTS, MAX_REASONING_BUDGET, type SentReasoning } from "@cairn/timeline";
import { createStore, useStore } from "./store.ts";

/** The chosen reasoning; null for the reasoning of the conversation or the agent. */
const store = createStore<SentReasoning | null>(null);

export function useChosenReasoning(): SentReasoning | null {
  return useStore(store, (reasoning) => reasoning);
}

export function chosenReasoning(): SentReasoning | null {
  return store.get();
}

/** Any other text means that no effort is chosen. */
export function chooseEffort(given: string): void {
  const effort = EFFORTS.find((each) => each === given);
  store.update((chosen) => reasoningOf(effort, chosen?.budget_tokens));
}

/** Sets the budget to the nearest number of tokens that the server accepts. Text that is not a number removes it. */
export function chooseBudget(given: string): void {
  const tokens = given.trim() === "" ? Number.NaN : Math.trunc(Number(given));
  const budget = Number.isNaN(tokens) ? undefined : Math.min(MAX_REASONING_BUDGET, Math.max(1, tokens));
  store.update((chosen) => reasoningOf(chosen?.effort, budget));
}

function reasoningOf(effort: SentReasoning["effort"], budget: number | undefined): SentReasoning | null {
  if (effort === undefined && budget === undefined) return null;
  return {
    ...(effort === undefined ? {} : { effort }),
    ...(budget === undefined ? {} : { budget_tokens: budget }),
  };
}
