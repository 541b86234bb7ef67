/**
 * The last turns of a conversation, or turns before a given one, as a person sees them, with waiting messages and
 * approvals. Folding the events after the view's seq gives the same view as reading it again later.
 */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import {
  type ConversationView,
  emptyView,
  extractCitations,
  publicRow,
  type SourceRow,
  type TurnView,
  viewApproval,
  viewEvents,
  viewPending,
} from "@cairn/timeline";

export interface ReadViewOptions {
  /** Reads only turns whose number is smaller. */
  readonly before?: number;
  readonly limit: number;
  /** Maximum size of the events of all returned turns. A single larger turn is still returned. */
  readonly maxBytes?: number;
}

const PAGE = 1_000;

export async function readView(store: ConversationStore, key: ConversationKey, options: ReadViewOptions) {
  return (await readPage(store, key, options)).view;
}

/** The view, the events from which its turns were made, and all sources. */
export async function readPage(store: ConversationStore, key: ConversationKey, options: ReadViewOptions) {
  const { before, limit } = options;
  const page = await store.readTurns(key, options);
  const start = emptyView({
    seq: (page.events[0]?.seq ?? page.seq + 1) - 1,
    earlier: page.first - 1,
    highestSid: page.highest_sid,
  });
  const { state, seq } = await store.loadOutline(key, { sources: publicRow });
  const view = viewEvents(page.events, start);
  // The state may be newer than the events of the page. The events between belong to the last turns.
  const current = before === undefined ? await goOn(store, key, { ...view, seq: page.seq }, seq) : view;
  // Leaves out turns that began after the page was read, if it is a page of older turns.
  const turns = current.turns.slice(0, before === undefined ? undefined : page.last - page.first + 1).slice(-limit);
  const shown = {
    seq,
    turns,
    has_more: (turns[0]?.n ?? 1) > 1,
    highest_sid: state.pool.maxSid,
    sources: citedIn(turns, (sid) => state.pool.get(sid)),
    pending: [...state.pendingInputs.values()].map(viewPending),
    approvals: [...state.approvalsRequested.values()]
      .filter(({ call_id }) => !state.approvalsGiven.has(call_id))
      .map(viewApproval),
  };
  return { view: shown, events: page.events, pool: state.pool };
}

async function goOn(
  store: ConversationStore,
  key: ConversationKey,
  view: ConversationView,
  upTo: number,
): Promise<ConversationView> {
  let current = view;
  while (current.seq < upTo) {
    const events = await store.readEvents(key, { after: current.seq, limit: Math.min(PAGE, upTo - current.seq) });
    if (events.length === 0) break;
    current = viewEvents(events, current);
  }
  return current;
}

/** The pool rows that the turns cite, in answers and notes. */
function citedIn(turns: readonly TurnView[], rowOf: (sid: number) => SourceRow | undefined): readonly SourceRow[] {
  const cited = new Set<number>();
  const cite = (text: string | null, known: number) => {
    for (const sid of extractCitations(text ?? "", "markdown")) if (sid <= known) cited.add(sid);
  };
  for (const { completion, rounds } of turns) {
    if (completion !== null) cite(completion.text, completion.sources_known);
    for (const { notes, sources_known } of rounds) cite(notes, sources_known);
  }
  const rows = [...cited].sort((left, right) => left - right).map(rowOf);
  return rows.filter((row) => row !== undefined);
}
