/**
 * The last turns of a conversation, or those before one of them, as a person sees them, with what waits beside them. The
 * answer is of one moment: whoever goes on folding the events behind its seq sees what a later answer would show.
 */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import {
  type ApprovalView,
  type ConversationView,
  emptyView,
  extractCitations,
  type PendingView,
  type SourceRow,
  type TurnView,
  viewEvents,
} from "@cairn/timeline";

export interface ReadView {
  readonly seq: number;
  readonly turns: readonly TurnView[];
  readonly has_more: boolean;
  readonly sources: readonly SourceRow[];
  readonly pending: readonly PendingView[];
  readonly approvals: readonly ApprovalView[];
}

export interface ReadViewOptions {
  /** Only turns with a smaller number. */
  readonly before?: number;
  readonly limit: number;
}

const PAGE = 1_000;

export async function readView(
  store: ConversationStore,
  key: ConversationKey,
  { before, limit }: ReadViewOptions,
): Promise<ReadView> {
  let view: ConversationView = emptyView();
  for (;;) {
    const events = await store.readEvents(key, { after: view.seq, limit: PAGE });
    view = viewEvents(events, view);
    if (events.length < PAGE) break;
  }
  const eligible = before === undefined ? view.turns : view.turns.filter(({ n }) => n < before);
  const turns = eligible.slice(-limit);
  return {
    seq: view.seq,
    turns,
    has_more: eligible.length > turns.length,
    sources: citedIn(turns, view.sources),
    pending: view.pending,
    approvals: view.approvals,
  };
}

/** The rows of the pool that the turns cite, in their answers, their notes or their steering. */
function citedIn(turns: readonly TurnView[], sources: readonly SourceRow[]): readonly SourceRow[] {
  const cited = new Set<number>();
  for (const { completion, rounds } of turns)
    for (const text of [completion?.text, ...rounds.map(({ notes }) => notes)])
      for (const sid of extractCitations(text ?? "", "markdown")) cited.add(sid);
  return sources.filter(({ sid }) => cited.has(sid));
}
