/** The open conversation in the state of the app: reads it, changes it, and folds arriving events into it. */
import type { EventSourceMessage } from "eventsource-parser";
import { appStore } from "./app-state.ts";
import { onNextFrame } from "./next-frame.ts";
import { applyServerEvent, type Session } from "./session.ts";

/** Changes the open conversation, if it still has this id. */
export function updateSession(id: string, change: (session: Session) => Session): void {
  appStore.update((state) => {
    if (state.session === null || state.session.id !== id) return state;
    const session = change(state.session);
    return session === state.session ? state : { ...state, session };
  });
}

export function sessionOf(id: string): Session | null {
  const { session } = appStore.get();
  return session?.id === id ? session : null;
}

interface FoldOptions {
  /** Aborts when the conversation is left. */
  readonly signal: AbortSignal;
  readonly onFolded: (events: readonly EventSourceMessage[]) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Returns what takes the events: those that arrive before the next frame are folded together. */
export function foldArriving(
  id: string,
  { signal, onFolded, onFailure }: FoldOptions,
): (event: EventSourceMessage) => void {
  let arrived: EventSourceMessage[] = [];
  let cancel: (() => void) | null = null;
  const fold = () => {
    const events = arrived;
    arrived = [];
    cancel = null;
    if (events.length === 0) return;
    try {
      updateSession(id, (session) => events.reduce(applyServerEvent, session));
      onFolded(events);
    } catch (error) {
      // An event that cannot be parsed, such as one of a newer server, would block forever, so it is reported.
      onFailure(error);
    }
  };
  const leave = () => {
    cancel?.();
    fold();
  };
  signal.addEventListener("abort", leave, { once: true });
  return (event) => {
    if (signal.aborted) return;
    arrived.push(event);
    cancel ??= onNextFrame(fold);
  };
}
