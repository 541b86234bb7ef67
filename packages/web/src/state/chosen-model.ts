/** The model for the next messages, if there is a choice. The browser remembers it. */
import { appStore } from "./app-state.ts";
import { createStore, useStore } from "./store.ts";

/** The browser's storage key for the chosen model. Without an entry, the agent's own model is used. */
const KEY = "cairn.model";
const store = createStore<string | null>(read());

export function useChosenModel(): string | null {
  return useStore(store, (model) => model);
}

export function chooseModel(model: string | null): void {
  store.update(() => model);
  try {
    if (model === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, model);
  } catch {
    // Storage is disabled: the choice lasts as long as the page.
  }
}

/** The chosen model, if the server still has it. */
export function chosenModel(): string | null {
  const model = store.get();
  return model !== null && appStore.get().meta?.models.includes(model) === true ? model : null;
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // Storage is disabled.
  }
}
