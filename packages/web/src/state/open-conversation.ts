/** Opens a conversation and follows it until another one is opened. Retries loading, and resumes following by seq. */
import { ApiError } from "../api/api-error.ts";
import { loadConversation, showConversation } from "../api/client.ts";
import { follow, waitAfter } from "../api/follow.ts";
import { appStore, tell } from "./app-state.ts";
import { reasonOf, refreshList } from "./conversation-list.ts";
import { foldArriving, sessionOf, updateSession } from "./open-session.ts";
import { resumeUnsent } from "./send-message.ts";
import { addOlder, newSession, openPage, type Session } from "./session.ts";
import { refreshVersionNames } from "./version-names.ts";

const TURNS_AT_ONCE = 30;
/** Events that change the list of conversations. */
const LISTED: ReadonlySet<string> = new Set([
  "turn.opened",
  "turn.closed",
  "title.given",
  "status",
  "approval.requested",
]);

let current: AbortController | null = null;

/** Closes the open conversation; `null` opens none. */
export function openConversation(id: string | null): void {
  const left = appStore.get().session;
  if (left?.id === id) return;
  current?.abort();
  current = null;
  appStore.update((state) => ({ ...state, session: id === null ? null : newSession(id) }));
  // The previous conversation is not followed any more, so the list must be read again.
  if (left !== null) void refreshList();
  if (id === null) return;
  resumeUnsent(id);
  const control = new AbortController();
  current = control;
  void load(id, control.signal);
}

/** Tries again after a permanent failure. */
export function reopenConversation(id: string): void {
  appStore.update((state) => ({ ...state, session: null }));
  openConversation(id);
}

async function load(id: string, signal: AbortSignal): Promise<void> {
  for (let failures = 1; !signal.aborted; failures++) {
    try {
      const page = await loadConversation(id, { limit: TURNS_AT_ONCE }, { signal });
      updateSession(id, (session) => openPage(session, page));
      if (!page.listed) void rememberShown(id);
      if (page.versions.length > 0) void refreshVersionNames(id);
      return await followJournal(id, page.seq, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError) || !error.isPassing) return fail(id, error);
      updateSession(id, (session) => ({ ...session, connection: "lost" }));
      await new Promise((resolve) => setTimeout(resolve, waitAfter(failures)));
    }
  }
}

/** From now on the list shows this version of its conversation. */
async function rememberShown(id: string): Promise<void> {
  try {
    await showConversation(id);
    await refreshList();
  } catch (error) {
    tell("problem", reasonOf(error));
  }
}

/** This turn may be another version of an existing turn. */
async function refreshVersions(id: string, signal: AbortSignal): Promise<void> {
  try {
    const { versions } = await loadConversation(id, { limit: 1 }, { signal });
    updateSession(id, (session) => ({ ...session, versions }));
    if (versions.length > 0) await refreshVersionNames(id);
  } catch {
    // The error is ignored: the versions are loaded again later, and the banner shows a lost connection.
  }
}

function fail(id: string, error: unknown): void {
  const isMissing = error instanceof ApiError && error.status === 404;
  const problem = error instanceof Error ? error.message : String(error);
  updateSession(id, (session) => ({ ...session, phase: isMissing ? "missing" : "failed", problem }));
}

function followJournal(id: string, after: number, signal: AbortSignal): Promise<void> {
  return follow({
    conversationId: id,
    after,
    signal,
    onEvent: foldArriving(id, {
      signal,
      onFolded: (events) => {
        if (events.some(({ event = "" }) => LISTED.has(event))) void refreshList();
        if (events.some(({ event }) => event === "turn.opened")) void refreshVersions(id, signal);
      },
      onFailure: (error) => fail(id, error),
    }),
    onConnection: (connection) => updateSession(id, (session) => ({ ...session, connection })),
    onGone: () => {
      updateSession(id, (session): Session => ({ ...session, phase: "missing" }));
      void refreshList();
    },
  });
}

export async function loadOlder(id: string): Promise<void> {
  const session = sessionOf(id);
  const first = session?.view.turns[0];
  if (session === null || first === undefined || !session.hasOlder || session.isLoadingOlder) return;
  updateSession(id, (open) => ({ ...open, isLoadingOlder: true }));
  try {
    const page = await loadConversation(id, { before: first.n, limit: TURNS_AT_ONCE });
    updateSession(id, (open) => addOlder(open, page));
  } catch {
    // The banner says that the server is unreachable. Scrolling tries again.
    updateSession(id, (open) => ({ ...open, isLoadingOlder: false }));
  }
}
