/** How much the model reasons for the next messages. It lasts as long as the page. */
import { createStore, useStore } from "./store.ts";

/** The efforts that the app offers. Models that know fewer round. */
export const OFFERED_EFFORTS = ["none", "low", "medium", "high", "max"] as const;
export type Effort = (typeof OFFERED_EFFORTS)[number];

/** The chosen effort; null for that of the conversation or the agent. */
const store = createStore<Effort | null>(null);

export function useChosenEffort(): Effort | null {
  return useStore(store, (effort) => effort);
}

export function chooseEffort(given: string): void {
  store.update(() => OFFERED_EFFORTS.find((effort) => effort === given) ?? null);
}

export function chosenEffort(): Effort | null {
  return store.get();
}
