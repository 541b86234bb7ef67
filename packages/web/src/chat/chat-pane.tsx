/** A conversation: its rows, its notices, and the composer below. */
import type { FileView, SourceRow, TurnView } from "@cairn/timeline";
import { CloudOff, Compass, PencilLine, ShieldQuestion, TriangleAlert, X } from "lucide-react";
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Composer, type ComposerHandle, type EditedMessage } from "../composer/composer.tsx";
import { LIMITS_UNTIL_KNOWN } from "../composer/limits.ts";
import { FindBar } from "../find/find-bar.tsx";
import { ReadingContext } from "../markdown/reading-context.ts";
import { Link } from "../route/link.tsx";
import { tell, useApp } from "../state/app-state.ts";
import { keepDraft, readDraft } from "../state/drafts.ts";
import { reopenConversation } from "../state/open-conversation.ts";
import { sessionOf } from "../state/open-session.ts";
import { noteSeen } from "../state/seen.ts";
import { type Message, sendMessage } from "../state/send-message.ts";
import { isBusy as isBusyIn } from "../state/session.ts";
import { askAgain, stop } from "../state/turn-actions.ts";
import { plural } from "../text/format-count.ts";
import { Banner } from "../ui/banner.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Mark } from "../ui/mark.tsx";
import { useShortcut } from "../ui/shortcuts.ts";
import { Toasts } from "../ui/toasts.tsx";
import { Announcer } from "./announcer.tsx";
import { ChatContext, type ChatPlace } from "./chat-context.ts";
import { ConversationRows } from "./conversation-rows.tsx";
import { useReading } from "./use-reading.ts";

const FileViewer = lazy(() => import("../files/file-viewer.tsx"));
const SourceViewer = lazy(() => import("../files/source-viewer.tsx"));

export function ChatPane({ conversationId }: { readonly conversationId: string }) {
  const phase = useApp((state) => state.session?.phase ?? "loading");
  if (phase === "missing")
    return (
      <EmptyState
        icon={<Compass />}
        title="There is no such conversation"
        action={
          <Link to={{ page: "new" }} className="text-sm font-medium text-accent hover:underline">
            Start a new one
          </Link>
        }
      >
        It was deleted, or the address is wrong.
      </EmptyState>
    );
  if (phase === "failed") return <Failed conversationId={conversationId} />;
  return <OpenChat key={conversationId} conversationId={conversationId} />;
}

function Failed({ conversationId }: { readonly conversationId: string }) {
  const problem = useApp((state) => state.session?.problem ?? "");
  return (
    <EmptyState
      icon={<TriangleAlert />}
      title="The conversation could not be opened"
      action={<Button onClick={() => reopenConversation(conversationId)}>Try again</Button>}
    >
      {problem}
    </EmptyState>
  );
}

function OpenChat({ conversationId }: { readonly conversationId: string }) {
  const composer = useRef<ComposerHandle>(null);
  const [viewed, setViewed] = useState<Viewed | null>(null);
  const [edited, setEdited] = useState<Edited | null>(null);
  const isBusy = useApp((state) => state.session !== null && isBusyIn(state.session));
  const isStopping = useApp((state) => state.session?.isStopping ?? false);
  const isLoading = useApp((state) => state.session?.phase === "loading");
  const limits = useApp((state) => state.meta?.limits ?? LIMITS_UNTIL_KNOWN);

  const isEditing = useRef(false);
  isEditing.current = edited !== null;
  const stopNow = useCallback(async () => {
    const { texts, files } = await stop(conversationId);
    const waiting = texts.join("\n\n");
    if (waiting === "" && files.length === 0) return;
    // The text would otherwise become part of an edit, or of another conversation that was opened since.
    const isHere = composer.current !== null && !isEditing.current && sessionOf(conversationId) !== null;
    if (isHere) composer.current?.add(waiting, files);
    else {
      keepDraft(conversationId, [readDraft(conversationId), waiting].filter((text) => text !== "").join("\n\n"));
      const names = files.map(({ name }) => name).join(", ");
      if (names !== "") tell("problem", `Not sent: ${names}. Attach these files again to send them.`);
    }
  }, [conversationId]);
  useShortcut("stop", () => {
    if (isBusy) void stopNow();
  });
  useShortcut("compose", () => composer.current?.focus());
  useEffect(() => {
    if (matchMedia("(pointer: fine)").matches) composer.current?.focus();
  }, []);

  // Until the conversation is open, the session still belongs to the previous conversation.
  const seq = useApp(({ session }) => (session?.id === conversationId ? session.view.seq : null));
  useEffect(() => {
    const look = () => {
      if (!document.hidden && seq !== null) noteSeen(conversationId, seq);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [conversationId, seq]);
  const place = useMemo<ChatPlace>(
    () => ({
      conversationId,
      openFile: (file) => setViewed({ file, claim: null }),
      edit: (turn) => setEdited({ turn, text: turn.prompt.text }),
      stop: () => void stopNow(),
      suggest: (...message) => composer.current?.add(...message),
    }),
    [conversationId, stopNow],
  );
  const reading = useReading(conversationId, ...useOpeners(setViewed));

  const editing = useMemo<EditedMessage | null>(
    () =>
      edited === null
        ? null
        : {
            text: edited.text,
            note: <EditingNote turn={edited.turn} onCancel={() => setEdited(null)} />,
            onCancel: () => setEdited(null),
          },
    [edited],
  );

  const send = (message: Message) =>
    void (edited === null ? sendMessage(conversationId, message) : resend(edited, message));
  const resend = async ({ turn }: Edited, { text, files }: Message) => {
    setEdited(null);
    if (await askAgain(conversationId, turn, text, files)) return;
    // A message that could not be sent returns to the editor.
    setEdited({ turn, text });
    composer.current?.add("", files);
  };
  return (
    <ChatContext value={place}>
      <ReadingContext value={reading}>
        {isLoading ? (
          <div className="grid flex-1 place-items-center">
            <Mark breathing className="size-10" />
            <span className="sr-only" role="status">
              Opening the conversation
            </span>
          </div>
        ) : (
          <>
            <FindBar conversationId={conversationId} />
            <ConversationRows conversationId={conversationId} />
          </>
        )}
        <div className="relative mx-auto w-full max-w-[46rem] px-4 print:hidden before:pointer-events-none before:absolute before:inset-x-4 before:bottom-full before:h-6 before:bg-linear-to-t before:from-paper before:to-transparent pb-[max(0.75rem,env(safe-area-inset-bottom))]">
          <Toasts place="chat" />
          <Matters />
          <Composer
            ref={composer}
            conversationId={conversationId}
            isBusy={isBusy && edited === null}
            isStopping={isStopping}
            limits={limits}
            onSend={send}
            onStop={() => void stopNow()}
            editing={editing}
          />
        </div>
        <Announcer />
        {viewed === null ? null : (
          <Suspense>
            {"row" in viewed ? (
              <SourceViewer {...viewed} onClose={() => setViewed(null)} />
            ) : (
              <FileViewer conversationId={conversationId} {...viewed} onClose={() => setViewed(null)} />
            )}
          </Suspense>
        )}
      </ReadingContext>
    </ChatContext>
  );
}

/** The panel beside the conversation; `claim` is the text before the citation that the user clicked. */
type Viewed =
  | { readonly file: FileView; readonly claim: string | null }
  | { readonly row: SourceRow; readonly claim: string };

function useOpeners(setViewed: (viewed: Viewed) => void) {
  const openFile = useCallback(
    (file: FileView, claim?: string) => setViewed({ file, claim: claim ?? null }),
    [setViewed],
  );
  const openSource = useCallback((row: SourceRow, claim: string) => setViewed({ row, claim }), [setViewed]);
  return [openFile, openSource] as const;
}

/** A turn whose message is being edited, and its original text. */
interface Edited {
  readonly turn: TurnView;
  readonly text: string;
}

function EditingNote({ turn, onCancel }: { readonly turn: TurnView; readonly onCancel: () => void }) {
  return (
    <div className="flex items-center gap-2 border-b border-line py-1 pr-1 pl-4 text-xs text-soft">
      <PencilLine className="size-3.5" />
      <span className="flex-1">
        Sending adds a version of question {turn.n} with the new text
        {turn.attachments.length === 0 ? "." : " and the attachments of the old message."} The old version stays.
      </span>
      <IconButton label="Cancel editing" shortcut="Escape" size="small" onClick={onCancel}>
        <X />
      </IconButton>
    </div>
  );
}

/** Notices about the whole conversation, just above the composer. */
function Matters() {
  const connection = useApp((state) => state.session?.connection ?? "connecting");
  const awaited = useApp(({ session }) => {
    const [first] = session?.view.approvals ?? [];
    if (first === undefined) return null;
    return first.question === undefined ? "approval" : "answer";
  });
  const position = useApp((state) => state.session?.queuePosition ?? null);
  return (
    <div className="flex flex-col gap-2 pb-2 empty:hidden" role="status">
      {connection === "lost" ? (
        <Banner tone="danger" icon={<CloudOff />}>
          The server cannot be reached. Reconnecting; what you type is kept.
        </Banner>
      ) : null}
      {awaited === null ? null : (
        <Banner tone="ochre" icon={<ShieldQuestion />}>
          The agent is waiting for your {awaited}.
        </Banner>
      )}
      {position === null || position === 0 ? null : (
        <Banner tone="accent">Waiting in the queue behind {plural(position, "conversation")}.</Banner>
      )}
    </div>
  );
}
