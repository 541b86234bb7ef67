/**
 * The blocks that match the filters, page by page in one direction. New blocks come at the end of the timeline, so
 * visible blocks do not move. A request of a search scans only a part of the journal, so an empty page need not be the
 * last.
 */
import type { Block } from "@cairn/api";
import { useCallback, useEffect, useRef, useState } from "react";
import { listBlocks } from "../data/inspector-api.ts";
import type { BlockFilters } from "../data/place.ts";

const PAGE = 100;
/** Blocks in one request: the server's maximum. They are loaded again when the journal grows: they may have changed. */
const MAX_BLOCKS = 500;

export interface BlockList {
  readonly blocks: readonly Block[];
  readonly phase: "loading" | "ready" | "failed";
  readonly problem: string | null;
  readonly hasMore: boolean;
  /** Whether new blocks arrived since a list with the newest first was loaded. */
  readonly hasNewer: boolean;
  readonly loadMore: () => void;
  /** Retries after a failure. */
  readonly retryMore: () => void;
  readonly reload: () => void;
}

interface State {
  readonly key: string;
  readonly blocks: readonly Block[];
  readonly phase: BlockList["phase"];
  readonly problem: string | null;
  /** The position at which the next page begins; null at the end. */
  readonly next: number | null;
  /** The seq of the journal when its end was reached. */
  readonly seq: number;
}

/** `from`: the position at which the list begins; null for an end of the timeline. */
export function useBlocks(conversationId: string, filters: BlockFilters, from: number | null, seq: number): BlockList {
  const { type, turn, state: wanted, q, order } = filters;
  const key = JSON.stringify([conversationId, type, turn, wanted, q, order, from]);
  const start = { key, blocks: [], phase: "loading", problem: null, next: null, seq } as const;
  const [state, setState] = useState<State>(start);
  const [tries, setTries] = useState(0);
  const busy = useRef<AbortController | null>(null);
  const latestSeq = useRef(seq);
  latestSeq.current = seq;

  const load = useCallback(
    (after: readonly Block[], next: number | null, limit = PAGE) => {
      busy.current?.abort();
      const control = new AbortController();
      busy.current = control;
      const asked = latestSeq.current;
      const page =
        order === "newest"
          ? next === null
            ? { limit }
            : { limit, before: next }
          : { limit, after: next ?? (from ?? 0) - 1 };
      listBlocks(conversationId, { type, turn, state: wanted, q }, page, { signal: control.signal }).then(
        (found) => {
          if (control.signal.aborted) return;
          busy.current = null;
          const added = order === "newest" ? found.blocks.toReversed() : found.blocks;
          setState((before) => ({
            key,
            blocks: [...after, ...added],
            phase: "ready",
            problem: null,
            next: found.next,
            // Blocks that are newer than the first of a newest-first list are not in the list yet.
            seq: order === "newest" && after.length > 0 ? before.seq : asked,
          }));
        },
        (error: unknown) => {
          if (control.signal.aborted) return;
          busy.current = null;
          const problem = error instanceof Error ? error.message : String(error);
          setState((before) => ({ ...before, key, phase: "failed", problem }));
        },
      );
    },
    [key, conversationId, type, turn, wanted, q, order, from],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try begins anew.
  useEffect(() => {
    setState((before) =>
      before.key === key && before.phase !== "failed" ? before : { ...start, seq: latestSeq.current },
    );
    load([], null);
    return () => busy.current?.abort();
  }, [load, tries]);

  const isOwn = state.key === key && state.phase !== "loading";
  const isGrown = isOwn && state.phase === "ready" && state.next === null && seq > state.seq;
  useEffect(() => {
    if (!isGrown || order === "newest" || busy.current !== null) return;
    if (state.blocks.length < MAX_BLOCKS - PAGE) load([], null, MAX_BLOCKS);
    else load(state.blocks, state.blocks.at(-1)?.position ?? null);
  }, [isGrown, order, load, state.blocks]);

  return {
    blocks: isOwn ? state.blocks : [],
    phase: isOwn ? state.phase : "loading",
    problem: state.problem,
    hasMore: isOwn && state.next !== null,
    hasNewer: isOwn && order === "newest" && seq > state.seq,
    // A failed request is not repeated automatically, because a server that is down would get endless requests.
    loadMore: () => {
      if (isOwn && state.phase === "ready" && state.next !== null && busy.current === null)
        load(state.blocks, state.next);
    },
    retryMore: () => (state.next === null ? load([], null, MAX_BLOCKS) : load(state.blocks, state.next)),
    reload: () => setTries((count) => count + 1),
  };
}
