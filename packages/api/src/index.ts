/** The HTTP contract: endpoints, the events of the event stream, and the data in them. */

export { components } from "./components.ts";
export {
  type Answer,
  type AnswerOf,
  type AnswersOf,
  addressOf,
  type BodyOf,
  type Endpoint,
  type ParamsOf,
  type RequestOf,
} from "./definition/endpoint.ts";
export { modeSchema, type SendMode, type SentPrompt, sentPromptSchema } from "./definition/fields.ts";
export { MAX_ATTACHMENTS, MAX_IMPORTED_FILES, MAX_MESSAGE_CHARS, MAX_REASON_CHARS } from "./definition/limits.ts";
export {
  isPassingStatus,
  problemSchema,
  RETRY_AFTER,
  shownCode,
  statusOf,
  usualProblems,
} from "./definition/problem.ts";
export { BLOCK_STATES, type Block, type BlockState, listBlocks } from "./endpoints/blocks.ts";
export { type ChatMessage, type HistoryMessage, readChat, resumeChat, sendChat } from "./endpoints/chat.ts";
export { readConversation } from "./endpoints/conversation.ts";
export {
  branchConversation,
  createConversation,
  deleteConversation,
  type ForkPoint,
  forkConversation,
  listBranches,
  listConversations,
  nameVersion,
  renameConversation,
  showConversation,
} from "./endpoints/conversations.ts";
export { type FileVersion, type ListedFile, listFiles, readAnswer, readFile } from "./endpoints/files.ts";
export { checkHealth, checkReadiness, readMetrics } from "./endpoints/health.ts";
export {
  beginMcpLogin,
  endMcpLogin,
  type FilledPrompt,
  fillPrompt,
  finishMcpLogin,
  type ListedMcpServer,
  type ListedPrompt,
  listMcpServers,
  listPrompts,
} from "./endpoints/mcp.ts";
export { type Meta, readMeta } from "./endpoints/meta.ts";
export { addOrder, correctOrder, deleteOrder, type ListedOrder, listOrders } from "./endpoints/orders.ts";
export { type FoundPath, readPath, readSources, readTimeline } from "./endpoints/payloads.ts";
export {
  EXPORT_MIME,
  exportConversation,
  type Imported,
  importConversation,
  importMessages,
} from "./endpoints/portable.ts";
export { listRequests, readRequest } from "./endpoints/requests.ts";
export { type SearchHit, searchConversation } from "./endpoints/search.ts";
export { readSpending, type SpentDay } from "./endpoints/spending.ts";
export {
  answerApproval,
  cancelTurn,
  followConversation,
  followTurn,
  giveFeedback,
  MESSAGE_FORM,
  messageSchema,
  type SentFile,
  type SentMessage,
  sendMessage,
} from "./endpoints/turns.ts";
export type {
  Branch,
  Conversation,
  ConversationStatus,
  ForkedFrom,
  ListedConversation,
  TurnVersions,
} from "./views/conversation.ts";
export {
  type JournalEvent,
  journalEventSchema,
  type LiveEvent,
  type LiveEventName,
  liveEvents,
} from "./views/live-events.ts";
export type {
  AnswerPart,
  ModelMessage,
  ModelRequest,
  RequestDetail,
  TurnCall,
  UnseenBlock,
  Wire,
} from "./views/model-request.ts";
export { sourceSchema } from "./views/source.ts";
