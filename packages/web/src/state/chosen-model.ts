/** The model for the next messages, if there is a choice. It lasts as long as the page. */
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

/** The chosen model, if the server still has it. */
export function chosenModel(): string | null {
  const model = store.get();
  return model !== null && appStore.get().meta?.models.includes(model) === true ? model : null;
}
