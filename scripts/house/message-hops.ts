/**
 * The way of one message, from the send button to the drawn answer. A hop is the step into a function of another file
 * that passes the message, or the answer to it, on. Side work is left out: maintenance, receipts, live text,
 * telemetry, titles.
 *
 * `npm run house` prints the list. Its test checks that each function is in its file, and that the file of the hop
 * before names it. A hop with `by` is not a call in the code: a request, the queue, the journal, an
 * interface or a callback carries the message.
 */
export interface Hop {
  readonly name: string;
  /** Below `packages/`. */
  readonly file: string;
  /** What carries the message here, if it is not a call. */
  readonly by?: "http" | "queue" | "journal" | "react" | "interface" | "callback";
  /** The caller, if it is not the hop before: that one has returned. */
  readonly from?: string;
}

export const MAX_HOPS = 40;

export const MESSAGE_HOPS: readonly Hop[] = [
  { name: "sendMessage", file: "web/src/state/send-message.ts" },
  { name: "sendTurn", file: "web/src/api/send-turn.ts" },
  { name: "watch", file: "server/src/app.ts", by: "http" },
  { name: "authenticate", file: "server/src/http/middleware/authenticate.ts" },
  { name: "endpoint", file: "server/src/http/endpoint.ts", by: "callback" },
  { name: "turnRoutes", file: "server/src/http/routes/turns.ts", by: "callback" },
  { name: "takeMessage", file: "front/src/messages/take-message.ts" },
  { name: "append", file: "store/src/sql-store.ts" },
  { name: "appendEvents", file: "store/src/sql/append.ts" },
  { name: "JournalWriter", file: "store/src/sql/journal-writer.ts" },
  { name: "offer", file: "front/src/queue/embedded-queue.ts", from: "takeMessage" },
  { name: "createRunner", file: "front/src/turns/turn-runner.ts", by: "queue" },
  { name: "runTurn", file: "agent/src/turn/run-turn.ts" },
  { name: "TurnJournal", file: "agent/src/turn/state/turn-journal.ts" },
  { name: "load", file: "store/src/sql-store.ts" },
  { name: "loadState", file: "store/src/sql/load.ts" },
  { name: "takeTurn", file: "agent/src/turn/input/take-inputs.ts", from: "runTurn" },
  { name: "userBlocks", file: "agent/src/turn/input/user-blocks.ts" },
  { name: "decide", file: "agent/src/turn/decide/decide.ts", from: "runTurn" },
  { name: "planDecision", file: "agent/src/turn/request/plan-request.ts" },
  { name: "render", file: "timeline/src/timeline.ts" },
  { name: "renderView", file: "timeline/src/render/render.ts" },
  { name: "SentRequest", file: "agent/src/turn/request/sent-request.ts", from: "decide" },
  { name: "aiSdkModel", file: "agent/src/model/ai-sdk-model.ts", by: "interface" },
  { name: "lowerRequest", file: "agent/src/model/lower-request.ts" },
  { name: "lowerView", file: "timeline/src/cache/wire/lower-view.ts" },
  { name: "understand", file: "agent/src/turn/decide/understand.ts", from: "runTurn" },
  { name: "finishTurn", file: "agent/src/turn/close/finish-turn.ts", from: "runTurn" },
  { name: "commit", file: "agent/src/turn/state/turn-journal.ts" },
  { name: "append", file: "store/src/sql-store.ts" },
  { name: "ConversationFeed", file: "front/src/live/conversation-feed.ts", by: "journal" },
  { name: "openEventStream", file: "server/src/http/routes/event-stream.ts", by: "callback" },
  { name: "follow", file: "web/src/api/follow.ts", by: "http" },
  { name: "openConversation", file: "web/src/state/open-conversation.ts", by: "callback" },
  { name: "applyServerEvent", file: "web/src/state/session.ts" },
  { name: "viewEvent", file: "timeline/src/view/view-event.ts" },
  { name: "rowsOf", file: "web/src/chat/rows.ts", by: "react" },
  { name: "RowView", file: "web/src/chat/row-view.tsx", by: "react" },
  { name: "AnswerRow", file: "web/src/chat/answer-row.tsx" },
  { name: "Markdown", file: "web/src/markdown/markdown.tsx" },
];
