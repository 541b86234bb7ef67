/**
 * The way of one plain message: from the HTTP request, with the default settings (a data folder, no audit log, no pages
 * of other sites), to the answer on the screen of a browser that follows the conversation. The model calls no tool.
 *
 * A hop passes the message or its answer from one file to another, which decides something about it or hands it on. A
 * file counts each time it is entered. Three things are not hops:
 *
 * - A conversion: a function that returns the other form and hands the message to no function but another conversion.
 *   The conversions have a list of their own (`message-conversions.ts`). A function that also selects what is converted,
 *   or how, is a hop: `applyEvent`, `render`, `renderView`, `lowerView`, `viewEvent` and `rowsOf`.
 * - A function that is only asked for a value (checks, limits, ids) or only wakes a waiter.
 * - Work beside the way: maintenance, receipts, live text, telemetry, titles and index rows.
 *
 * `npm run house` prints the list. Its test checks each hop: the file declares the function, and the caller's file
 * contains the call. Three hops have no caller: the two HTTP requests, and the follower, which reads the new event from
 * the database after `append` has woken it (`feed.notify`, in `polling-feed.ts` and `waiters.ts`).
 */
export interface Hop {
  readonly name: string;
  /** The path of the file, relative to `packages/`. */
  readonly file: string;
  /** The call as the caller's file spells it; default: the name and `(`. Null for a hop without a caller. */
  readonly call?: string | null;
  /** The name of the calling hop. By default, it is the hop before; named if that hop has already returned. */
  readonly from?: string;
}

/** The maximum number of hops (decision 0911). */
export const MAX_HOPS = 40;

const TIMELINE = "timeline/src/timeline.ts";
const APPLY = { name: "applyEvent", file: "timeline/src/state/apply.ts" };
const JOURNAL = "agent/src/turn/state/turn-journal.ts";

const STORE = { name: "appending", file: "store/src/sql/append.ts", call: "tore.append(" };

export const MESSAGE_HOPS: readonly Hop[] = [
  { name: "watch", file: "server/src/http/endpoint.ts", call: null },
  { name: "turnRoutes", file: "server/src/http/routes/turns.ts", call: "handle(context, request" },
  { name: "takeMessage", file: "front/src/messages/take-message.ts" },
  STORE,
  { name: "offer", file: "front/src/queue/embedded-queue.ts", call: "queue.offer(", from: "takeMessage" },
  { name: "createRunner", file: "front/src/turns/turn-runner.ts", call: "run(key, turn.signal)" },
  { name: "runTurn", file: "agent/src/turn/run-turn.ts" },
  { name: "TurnJournal", file: JOURNAL, call: "TurnJournal.open(" },
  { name: "loading", file: "store/src/sql/load.ts", call: "store.load(" },
  APPLY,
  { name: "takeTurn", file: "agent/src/turn/input/take-inputs.ts", from: "runTurn" },
  { name: "contribute", file: TIMELINE, call: "timeline.contribute(" },
  APPLY,
  { name: "commit", file: JOURNAL, call: "journal.commit(", from: "takeTurn" },
  STORE,
  { name: "decide", file: "agent/src/turn/decide/decide.ts", from: "runTurn" },
  { name: "planDecision", file: "agent/src/turn/request/plan-request.ts" },
  { name: "render", file: TIMELINE, call: "timeline.render(" },
  { name: "renderView", file: "timeline/src/render/render.ts" },
  { name: "askForDecision", file: "agent/src/protocol/ask-model.ts", from: "decide" },
  { name: "aiSdkModel", file: "agent/src/model/ai-sdk-model.ts", call: "model.stream(" },
  { name: "lowerView", file: "timeline/src/cache/wire/lower-view.ts" },
  { name: "finishTurn", file: "agent/src/turn/close/finish-turn.ts", from: "runTurn" },
  { name: "contribute", file: TIMELINE, call: "timeline.contribute(" },
  APPLY,
  { name: "commit", file: JOURNAL, call: "journal.commit(", from: "finishTurn" },
  STORE,
  { name: "followConversation", file: "store/src/sql/follow.ts", call: null },
  { name: "ConversationFeed", file: "front/src/live/conversation-feed.ts", call: "yield event" },
  { name: "Mailbox", file: "front/src/live/mailbox.ts", call: "mailbox.put(" },
  { name: "openEventStream", file: "server/src/http/routes/event-stream.ts", call: "this.#wake" },
  { name: "streamBody", file: "server/src/http/stream-body.ts" },
  { name: "follow", file: "web/src/api/follow.ts", call: null },
  { name: "foldArriving", file: "web/src/state/open-session.ts", call: "options.onEvent(" },
  { name: "viewEvent", file: "timeline/src/view/view-event.ts" },
  { name: "createStore", file: "web/src/state/store.ts", call: "appStore.update(", from: "foldArriving" },
  { name: "ConversationRows", file: "web/src/chat/conversation-rows.tsx", call: "listener" },
  { name: "rowsOf", file: "web/src/chat/rows.ts" },
  { name: "AnswerRow", file: "web/src/chat/answer-row.tsx", call: "<Kind", from: "ConversationRows" },
  { name: "Markdown", file: "web/src/markdown/markdown.tsx", call: "<Markdown" },
];

/** The caller of each hop; null for a hop without a caller. */
export function callerOf(index: number): Hop | null {
  const hop = MESSAGE_HOPS[index];
  if (hop === undefined || hop.call === null) return null;
  const before = MESSAGE_HOPS.slice(0, index);
  return before.findLast(({ name }) => hop.from === undefined || name === hop.from) ?? null;
}
