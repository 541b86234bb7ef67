/** The state of the app, in one store. */
import type { ListedConversation, Meta } from "@cairn/api";
import type { Session } from "./session.ts";
import { createStore, useStore } from "./store.ts";

export interface ConversationList {
  readonly query: string;
  readonly items: readonly ListedConversation[];
  readonly nextCursor: string | null;
  readonly phase: "loading" | "ready" | "failed";
}

/** A short message that disappears by itself, or an error that stays until it is closed. */
export interface Toast {
  readonly id: number;
  readonly kind: "done" | "problem";
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

export interface AppState {
  readonly meta: Meta | null;
  readonly list: ConversationList;
  readonly session: Session | null;
  readonly toasts: readonly Toast[];
  /** Conversations that will be deleted soon, and that the page already hides. */
  readonly removed: ReadonlySet<string>;
  /** Whether the server requires a token that this browser does not have. */
  readonly needsToken: boolean;
}

export const appStore = createStore<AppState>({
  meta: null,
  list: { query: "", items: [], nextCursor: null, phase: "loading" },
  session: null,
  toasts: [],
  removed: new Set(),
  needsToken: false,
});

export function useApp<S>(select: (state: AppState) => S, equal?: (a: S, b: S) => boolean): S {
  return useStore(appStore, select, equal);
}

let toasts = 0;
const TOAST_MS = 4_000;

export function tell(kind: Toast["kind"], text: string): void {
  const id = show({ kind, text });
  if (kind === "done") setTimeout(() => closeToast(id), TOAST_MS);
}

/** A message with a button. It stays until the caller closes it by its id. */
export function offer(text: string, action: NonNullable<Toast["action"]>): number {
  return show({ kind: "done", text, action });
}

function show(toast: Omit<Toast, "id">): number {
  const id = ++toasts;
  appStore.update((state) => {
    const last = new Set(state.toasts.slice(-3));
    // A message with a button stays for longer, so that the user has time to reach the button.
    const kept = state.toasts.filter((each) => last.has(each) || each.action !== undefined);
    return { ...state, toasts: [...kept, { id, ...toast }] };
  });
  return id;
}

export function closeToast(id: number): void {
  appStore.update((state) => ({ ...state, toasts: state.toasts.filter((toast) => toast.id !== id) }));
}
