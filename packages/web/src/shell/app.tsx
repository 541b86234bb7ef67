/** The frame of the app: the list of conversations, the open one, and the inspector on request. */
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { ApiError } from "../api/api-error.ts";
import { getMeta } from "../api/client.ts";
import { waitAfter } from "../api/follow.ts";
import { onTokenRefused } from "../api/token.ts";
import { ChatPane } from "../chat/chat-pane.tsx";
import { Sidebar } from "../conversations/sidebar.tsx";
import { McpLoginPage } from "../mcp/mcp-login-page.tsx";
import { navigate, useRoute } from "../route/location.ts";
import type { Route } from "../route/route.ts";
import { appStore, tell, useApp } from "../state/app-state.ts";
import { reasonOf, refreshList } from "../state/conversation-list.ts";
import { useMayInspect } from "../state/may-inspect.ts";
import { openConversation } from "../state/open-conversation.ts";
import { showTurns } from "../text/shown-directions.ts";
import { toggleTheme } from "../theme/theme.ts";
import { Boundary } from "../ui/boundary.tsx";
import { cx } from "../ui/class-names.ts";
import { Dialog } from "../ui/dialog.tsx";
import { HintLayer } from "../ui/hint-layer.tsx";
import { Mark } from "../ui/mark.tsx";
import { useShortcut, useShortcuts } from "../ui/shortcuts.ts";
import { Toasts } from "../ui/toasts.tsx";
import { useIsWide } from "../ui/use-media.ts";
import { FirstRun } from "./first-run.tsx";
import { Header } from "./header.tsx";
import { HelpDialog } from "./help-dialog.tsx";
import { NotFound } from "./not-found.tsx";
import { SignIn } from "./sign-in.tsx";
import { toggleInspector } from "./toggle-inspector.ts";
import { Undrawn } from "./undrawn.tsx";

const Inspector = lazy(() => import("../inspector/inspector.tsx"));

export function App() {
  const needsToken = useApp((state) => state.needsToken);
  useEffect(() => void start(), []);
  return needsToken ? <SignIn /> : <Frame />;
}

function Frame() {
  const route = useRoute();
  const isWide = useIsWide();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isSidebarShown, setSidebarShown] = useState(true);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const conversationId = "conversationId" in route ? route.conversationId : null;

  useEffect(() => openConversation(conversationId), [conversationId]);
  useEffect(() => {
    const refresh = () => void refreshList();
    globalThis.addEventListener("focus", refresh);
    return () => globalThis.removeEventListener("focus", refresh);
  }, []);
  useTitle(route);
  useShortcuts();
  useShortcut("help", () => setHelpOpen(true));
  useShortcut("newConversation", () => navigate({ page: "new" }));
  const mayInspect = useMayInspect();
  useShortcut("inspect", () => {
    if (mayInspect || route.page === "inspect") toggleInspector(route);
  });
  useShortcut("theme", toggleTheme);
  const toggleSidebar = () => (isWide ? setSidebarShown((shown) => !shown) : setDrawerOpen((open) => !open));
  useShortcut("sidebar", toggleSidebar);
  useShortcut("search", () => {
    // The field gets the focus synchronously, so that the next key press already reaches it.
    flushSync(() => (isWide ? setSidebarShown(true) : setDrawerOpen(true)));
    search.current?.focus();
  });

  return (
    <>
      <button
        type="button"
        onClick={() => document.getElementById("main")?.focus()}
        className="sr-only z-50 rounded-lg bg-surface px-3 py-2 focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
      >
        Skip to the conversation
      </button>
      <div className="flex h-dvh print:block print:h-auto">
        {isWide && isSidebarShown ? (
          <aside className="w-66 shrink-0 print:hidden border-r border-line">
            <Sidebar searchRef={search} />
          </aside>
        ) : null}
        <div className="flex min-w-0 flex-1 flex-col">
          <Header route={route} onToggleSidebar={toggleSidebar} onHelp={() => setHelpOpen(true)} />
          <Panes route={route} />
          <Toasts place="page" />
        </div>
      </div>
      <Dialog
        isOpen={!isWide && isDrawerOpen}
        onClose={() => setDrawerOpen(false)}
        title="Conversations"
        shape="drawer"
      >
        <Sidebar searchRef={search} onChosen={() => setDrawerOpen(false)} />
      </Dialog>
      <HelpDialog isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
      <HintLayer />
    </>
  );
}

/** The inspector is beside the conversation if there is space, and replaces it otherwise. */
function Panes({ route }: { readonly route: Route }) {
  const isInspecting = route.page === "inspect";
  const conversationId = "conversationId" in route ? route.conversationId : null;
  return (
    <main id="main" tabIndex={-1} className="flex min-h-0 flex-1 outline-none print:block">
      <div
        className={cx(
          "min-h-0 min-w-0 flex-1 flex-col print:block print:max-w-none print:border-0",
          isInspecting ? "hidden max-w-[27rem] border-r border-line xl:flex" : "flex",
        )}
      >
        <Boundary key={conversationId} fallback={<Undrawn />}>
          {route.page === "unknown" ? (
            <NotFound />
          ) : route.page === "mcp-login" ? (
            <McpLoginPage search={route.search} />
          ) : conversationId === null ? (
            <FirstRun />
          ) : (
            <ChatPane conversationId={conversationId} />
          )}
        </Boundary>
      </div>
      {isInspecting ? (
        <section aria-label="Inspector" className="flex min-h-0 min-w-0 flex-1 flex-col print:hidden">
          <Boundary key={conversationId} fallback={<Undrawn />}>
            <Suspense fallback={<Mark breathing className="m-auto size-10" />}>
              <Inspector conversationId={route.conversationId} rest={route.rest} search={route.search} />
            </Suspense>
          </Boundary>
          <Toasts place="inspector" />
        </section>
      ) : null}
    </main>
  );
}

/** Loads the server's description, and retries until the server answers. The list reports its own errors. */
async function start(): Promise<void> {
  onTokenRefused(() => appStore.update((state) => (state.needsToken ? state : { ...state, needsToken: true })));
  void refreshList();
  for (let failures = 1; ; failures++) {
    try {
      const meta = await getMeta();
      return appStore.update((state) => ({ ...state, meta }));
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return; // The page now asks the user for a token.
      if (!(error instanceof ApiError) || !error.isPassing) return tell("problem", reasonOf(error));
      await new Promise((resolve) => setTimeout(resolve, waitAfter(failures)));
    }
  }
}

function useTitle(route: Route): void {
  const title = useApp((state) => state.session?.view.title ?? null);
  useEffect(() => {
    const name = route.page === "new" || title === null || title === "" ? "" : `${showTurns(title)} · `;
    document.title = `${name}Cairn`;
  }, [route, title]);
}
