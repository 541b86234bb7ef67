/** Search within the conversation. The server searches, so it also finds messages that are not loaded or rendered. */
import type { SearchHit } from "@cairn/api";
import { ChevronDown, ChevronUp, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { findMessages } from "../api/client.ts";
import { navigate, useRoute } from "../route/location.ts";
import { tell } from "../state/app-state.ts";
import { reasonOf } from "../state/conversation-list.ts";
import { IconButton } from "../ui/button.tsx";
import { useShortcut } from "../ui/shortcuts.ts";
import { rowKeyOf } from "./row-key.ts";

const SEARCH_MS = 200;

interface Found {
  readonly words: string;
  /** The hits, in the order of the conversation. */
  readonly hits: readonly SearchHit[];
}

export function FindBar({ conversationId }: { readonly conversationId: string }) {
  const route = useRoute();
  const find = route.page === "chat" ? route.find : undefined;
  const field = useRef<HTMLInputElement>(null);
  useShortcut("find", () => {
    if (route.page !== "chat") return;
    // The field gets the focus synchronously, so that the next key press already reaches it.
    flushSync(() => navigate({ ...route, find: find ?? "" }, { replace: true }));
    field.current?.select();
    field.current?.focus();
  });
  if (find === undefined) return null;
  const turnId = route.page === "chat" ? route.turnId : undefined;
  return <OpenBar key={conversationId} ref={field} conversationId={conversationId} find={find} turnId={turnId} />;
}

interface OpenBarProps {
  readonly ref: React.Ref<HTMLInputElement>;
  readonly conversationId: string;
  readonly find: string;
  readonly turnId: string | undefined;
}

function OpenBar({ ref, conversationId, find, turnId }: OpenBarProps) {
  const [text, setText] = useState(find);
  const found = useFound(conversationId, text.trim());
  const hits = found?.hits ?? [];
  const at = hits.findIndex((hit) => rowKeyOf(hit) === turnId);
  const goTo = (hit: SearchHit | undefined) => {
    const place = hit === undefined ? null : rowKeyOf(hit);
    if (place !== null) navigate({ page: "chat", conversationId, turnId: place, find: text.trim() }, { replace: true });
  };
  const step = (by: 1 | -1) => goTo(at === -1 ? hits.at(-1) : hits[(at + by + hits.length) % hits.length]);
  const close = () =>
    navigate({ page: "chat", conversationId, ...(turnId === undefined ? {} : { turnId }) }, { replace: true });
  const latest = useRef(goTo);
  latest.current = goTo;
  // Goes to the newest hit, unless the reader is already at one.
  useEffect(() => {
    if (found !== null && found.words !== "" && at === -1) latest.current(found.hits.at(-1));
  }, [found, at]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") close();
    else if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };
  return (
    <search
      aria-label="Find in this conversation"
      className="mx-auto flex w-full max-w-[46rem] items-center gap-1 px-4 pt-2 print:hidden"
    >
      <input
        ref={ref}
        type="search"
        value={text}
        aria-label="Find in this conversation"
        placeholder="Find in this conversation"
        className="h-9 min-w-0 flex-1 rounded-lg border border-line bg-surface px-3 text-sm outline-none focus:border-accent"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <span role="status" className="min-w-16 text-center text-xs text-soft tabular-nums">
        {found === null || found.words === "" ? "" : hits.length === 0 ? "Nothing" : `${at + 1} of ${hits.length}`}
      </span>
      <IconButton label="Previous match" size="small" onClick={() => step(-1)}>
        <ChevronUp />
      </IconButton>
      <IconButton label="Next match" size="small" onClick={() => step(1)}>
        <ChevronDown />
      </IconButton>
      <IconButton label="Close search" shortcut="Escape" size="small" onClick={close}>
        <X />
      </IconButton>
    </search>
  );
}

/** The hits, in the order of the conversation. Two hits in one row count as one. */
function onePerRow(hits: readonly SearchHit[]): SearchHit[] {
  const rows = Map.groupBy(
    [...hits].sort((a, b) => a.seq - b.seq),
    rowKeyOf,
  );
  return [...rows.values()].flatMap(([first]) => first ?? []);
}

/** The hits for the searched words; null until the server has answered. */
function useFound(conversationId: string, words: string): Found | null {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    if (words === "") return setFound({ words, hits: [] });
    const asking = new AbortController();
    const ask = async () => {
      try {
        const hits = await findMessages(conversationId, words, { signal: asking.signal });
        if (!asking.signal.aborted) setFound({ words, hits: onePerRow(hits) });
      } catch (error) {
        if (!asking.signal.aborted) tell("problem", reasonOf(error));
      }
    };
    const timer = setTimeout(() => void ask(), SEARCH_MS);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [conversationId, words]);
  return found;
}
