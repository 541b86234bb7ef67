/** The list of conversations: with a search, sorted by latest activity, and with the status of each conversation. */
import type { ListedConversation } from "@cairn/api";
import { Ellipsis, FileUp, MessageSquarePlus, PencilLine, Search, Trash2 } from "lucide-react";
import { type Ref, useEffect, useRef, useState } from "react";
import { rowKeyOf } from "../find/row-key.ts";
import { Link } from "../route/link.tsx";
import { useRoute } from "../route/location.ts";
import { appStore, useApp } from "../state/app-state.ts";
import { loadMoreConversations, refreshList, searchConversations } from "../state/conversation-list.ts";
import { remove } from "../state/remove-conversation.ts";
import { useIsUnread } from "../state/seen.ts";
import { importFile } from "../state/turn-actions.ts";
import { formatMoment } from "../text/format-time.ts";
import { plainExcerpt } from "../text/plain-excerpt.ts";
import { showTurns } from "../text/shown-directions.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { Mark } from "../ui/mark.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { Pebble } from "../ui/pebble.tsx";
import { RenameDialog } from "./name-dialog.tsx";

const SEARCH_MS = 200;

export interface SidebarProps {
  readonly searchRef?: Ref<HTMLInputElement>;
  /** Called when a conversation was chosen. On small screens, the drawer then closes. */
  readonly onChosen?: () => void;
}

export function Sidebar({ searchRef, onChosen }: SidebarProps) {
  const list = useApp((state) => state.list);
  const [renamed, setRenamed] = useState<ListedConversation | null>(null);
  const removed = useApp((state) => state.removed);
  return (
    <nav aria-label="Conversations" className="flex h-full min-h-0 flex-col bg-sunken">
      <div className="flex h-14 items-center gap-2.5 px-4">
        <Mark className="size-7" />
        <span className="text-lg font-semibold tracking-tight">Cairn</span>
      </div>
      <div className="flex flex-col gap-2 px-3 pb-3">
        <div className="flex gap-1.5">
          <Link
            to={{ page: "new" }}
            onClick={onChosen}
            className="flex h-9 flex-1 items-center gap-2 rounded-lg border border-line bg-surface px-3 text-sm font-medium hover:border-line-strong"
          >
            <MessageSquarePlus className="size-4 text-accent" /> New conversation
          </Link>
          <ImportButton onChosen={onChosen} />
        </div>
        <SearchField ref={searchRef} />
      </div>
      <ul className="min-h-0 flex-1 overflow-y-auto px-2 pb-3" aria-busy={list.phase === "loading"}>
        {list.items
          .filter(({ conversation_id }) => !removed.has(conversation_id))
          .map((conversation) => (
            <ConversationItem
              key={conversation.conversation_id}
              conversation={conversation}
              onChosen={onChosen}
              onRename={() => setRenamed(conversation)}
              onRemove={() => remove(conversation.conversation_id)}
            />
          ))}
        {list.nextCursor === null ? null : (
          <li className="p-2 text-center">
            <Button size="small" look="quiet" onClick={() => void loadMoreConversations()}>
              Show older
            </Button>
          </li>
        )}
        <ListState />
      </ul>
      {renamed === null ? null : <RenameDialog conversation={renamed} onClose={() => setRenamed(null)} />}
    </nav>
  );
}

function ImportButton({ onChosen }: { readonly onChosen: (() => void) | undefined }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        hidden
        tabIndex={-1}
        aria-label="File to import"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = "";
          if (file === undefined) return;
          onChosen?.();
          void importFile(file);
        }}
      />
      <IconButton label="Import a conversation" look="plain" onClick={() => picker.current?.click()}>
        <FileUp />
      </IconButton>
    </>
  );
}

function ListState() {
  const { items, phase, query } = useApp((state) => state.list);
  if (phase === "failed")
    return (
      <li className="flex flex-col items-start gap-2 p-3 text-sm text-soft">
        The conversations could not be loaded.
        <Button size="small" onClick={() => void refreshList()}>
          Try again
        </Button>
      </li>
    );
  if (phase !== "ready" || items.length > 0) return null;
  return (
    <li className="p-3 text-sm text-faint">
      {query === "" ? "Your conversations will appear here." : `Nothing found for “${query}”.`}
    </li>
  );
}

function SearchField({ ref }: { readonly ref: Ref<HTMLInputElement> | undefined }) {
  // The list keeps the search while it is hidden, for example in the drawer of a phone.
  const [text, setText] = useState(() => appStore.get().list.query);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const waiting = useRef<string | null>(null);
  const search = () => {
    clearTimeout(timer.current);
    if (waiting.current !== null) void searchConversations(waiting.current);
    waiting.current = null;
  };
  // When the field disappears, for example because an entry was chosen, a search that still waits is run.
  const latest = useRef(search);
  useEffect(() => () => latest.current(), []);
  return (
    <label className="flex h-9 items-center gap-2 rounded-lg border border-transparent bg-hover px-3 focus-within:border-accent">
      <Search className="size-4 shrink-0 text-faint" aria-hidden="true" />
      <input
        ref={ref}
        type="search"
        value={text}
        aria-label="Search conversations"
        placeholder="Search"
        className="min-w-0 flex-1 bg-transparent text-sm outline-none placeholder:text-faint"
        onChange={(event) => {
          const query = event.target.value;
          setText(query);
          waiting.current = query.trim();
          clearTimeout(timer.current);
          timer.current = setTimeout(search, SEARCH_MS);
        }}
      />
    </label>
  );
}

interface ConversationItemProps {
  readonly conversation: ListedConversation;
  readonly onChosen: (() => void) | undefined;
  readonly onRename: () => void;
  readonly onRemove: () => void;
}

function ConversationItem({ conversation, onChosen, onRename, onRemove }: ConversationItemProps) {
  const route = useRoute();
  const query = useApp((state) => state.list.query);
  const { conversation_id: id, title, snippet, status, last_activity_at } = conversation;
  const isUnread = useIsUnread(conversation);
  const isCurrent = "conversationId" in route && route.conversationId === id;
  const name = title === null || title === "" ? "Untitled" : showTurns(title);
  return (
    <li className={cx("group relative flex items-center rounded-lg", isCurrent ? "bg-hover" : "hover:bg-hover")}>
      <Link
        to={{ page: "chat", conversationId: id, ...placeOf(conversation, query) }}
        onClick={onChosen}
        {...(isCurrent ? { "aria-current": "page" } : {})}
        className="min-w-0 flex-1 rounded-lg px-2.5 py-2"
      >
        <span className="flex items-center gap-2">
          {status === "idle" ? null : <StatusPebble status={status} />}
          <span dir="auto" className={cx("truncate text-sm", (isCurrent || isUnread) && "font-medium")}>
            {name}
          </span>
          {isUnread && !isCurrent ? (
            <span className="ml-auto size-2 shrink-0 rounded-full bg-accent">
              <span className="sr-only">unread</span>
            </span>
          ) : null}
        </span>
        <span className="block truncate text-xs text-faint">
          {snippet === undefined || snippet === ""
            ? formatMoment(last_activity_at, Date.now())
            : showTurns(plainExcerpt(snippet))}
        </span>
      </Link>
      <Menu
        trigger={
          <button
            type="button"
            aria-label={`More for ${name}`}
            className="mr-1 grid size-7 shrink-0 place-items-center rounded-md text-faint opacity-0 group-hover:opacity-100 hover:bg-surface hover:text-ink focus-visible:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100"
          >
            <Ellipsis className="size-4" />
          </button>
        }
      >
        <MenuItem icon={<PencilLine />} onSelect={onRename}>
          Rename
        </MenuItem>
        <MenuItem icon={<Trash2 />} look="danger" onSelect={onRemove}>
          Delete
        </MenuItem>
      </Menu>
    </li>
  );
}

/** A conversation that was found by its text opens at the found text. */
function placeOf({ found }: ListedConversation, find: string): { readonly turnId?: string; readonly find?: string } {
  const turnId = found === undefined ? null : rowKeyOf(found);
  return turnId === null || find === "" ? {} : { turnId, find };
}

const STATUS_WORDS = { queued: "queued", running: "working", waiting: "waiting for you" } as const;

function StatusPebble({ status }: { readonly status: keyof typeof STATUS_WORDS }) {
  return (
    <>
      <Pebble tone={status === "waiting" ? "ochre" : "accent"} alive={status === "running"} />
      <span className="sr-only">{STATUS_WORDS[status]}</span>
    </>
  );
}
