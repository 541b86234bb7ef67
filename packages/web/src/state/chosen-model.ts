/** The model the next messages ask for, where there is a choice. It lasts while the page does. */
import { appStore } from "./app-state.ts";
import { createStore, useStore } from "./store.ts";

/** Null for the agent's own. */
const store = createStore<string | null>(null);

export function useChosenModel(): string | null {
  return useStore(store, (model) => model);
}

export function chooseModel(model: string | null): void {
  store.update(() => model);
}

/** What is chosen, if the server still has it. */
export function chosenModel(): string | null {
  const model = store.get();
  return model !== null && appStore.get().meta?.models.includes(model) === true ? model : null;
}
