/** The engine of Cairn: a timeline of blocks, and the views of it for models, users and programs. */

export { composeAnnouncement } from "./announce/announce.ts";
export { isTimeZone } from "./announce/time-zone.ts";
export { type Artifact, artifactTexts, resolveArtifact } from "./artifact/artifact.ts";
export { isInternalArtifact } from "./artifact/internal-artifact.ts";
export { type TurnArtifacts, turnArtifacts } from "./artifact/turn-artifacts.ts";
export { composeTurnLog, type TurnLog, turnLogSummary } from "./artifact/turn-log.ts";
export { backOff, jittered } from "./base/back-off.ts";
export { CairnError, errorCode, nullIfNotFound } from "./base/error.ts";
export { escapeUnseen } from "./base/escape-unseen.ts";
export { isJsonObject, type Json, type JsonObject, parseJsonObject } from "./base/json.ts";
export { JsonCounter } from "./base/json-counter.ts";
export type { Clock, CountTokens, Ids } from "./base/ports.ts";
export type { Steps } from "./base/steps.ts";
export { type BlobRef, blobOf, isBlobRef } from "./block/blob.ts";
export { type Block, parseBlock } from "./block/block.ts";
export type { Clip } from "./block/clip.ts";
export { hideHosting } from "./block/hosting.ts";
export { LineWalk, MAX_LINE_CHARS } from "./block/lines.ts";
export type { Overlay } from "./block/overlay.ts";
export {
  type KeptReasoning,
  type ReasoningPiece,
  reasoningField,
  reasoningOf,
  withoutReasoning,
} from "./block/reasoning.ts";
export type { CacheStrategy } from "./cache/checkpoints.ts";
export { hashMessage, hashText } from "./cache/hash.ts";
export { type CacheLookup, type CacheTtl, PROVIDERS, type ProviderId, type ProviderRules } from "./cache/providers.ts";
export { type DeclaredReset, type ResetCause, uniteResets } from "./cache/reset.ts";
export { lowerView } from "./cache/wire/lower-view.ts";
export { FLAT_1, FLAT_2, type Lowering, NATIVE_1, NATIVE_2 } from "./cache/wire/lowering.ts";
export { loweringRules, loweringSchema } from "./cache/wire/lowerings.ts";
export { wirePartTokens } from "./cache/wire/part-tokens.ts";
export { wirePositions } from "./cache/wire/positions.ts";
export type {
  Breakpoint,
  CallPart,
  ContentPart,
  ReasoningPart,
  ResultPart,
  WireApi,
  WireBlock,
  WireInput,
  WireKind,
  WirePart,
  WireRequest,
  WireTool,
} from "./cache/wire/wire-request.ts";
export type { CitationFormat } from "./citation/citation-format.ts";
export { type CitationStream, createCitationStream } from "./citation/citation-stream.ts";
export type { CitedSource, SourceLookup } from "./citation/cited-source.ts";
export { extractCitations } from "./citation/extract-citations.ts";
export { type CitedIds, knownSources, sourcesKnownIn, splitCited } from "./citation/known-sources.ts";
export { linkCitations } from "./citation/link-citations.ts";
export { replaceCitations } from "./citation/replace-citations.ts";
export type { FileLimits } from "./clip/file-limits.ts";
export { checkFixedPart, outputTokens } from "./compact/budget.ts";
export {
  chunkInstruction,
  prefixInstruction,
  renderChunk,
  summaryChunks,
  summaryInstruction,
} from "./compact/chunks.ts";
export { PREFIX_TOKENS, PROSE_TOKENS } from "./compact/compose-summary.ts";
export type { CompactionPlan, CompactionProse } from "./compact/plan-compaction.ts";
export { ORDER_KINDS, type OrderKind } from "./directive/order-kinds.ts";
export { type ToolError, unwrapEnvelope } from "./envelope/unwrap.ts";
export { decodeEvent, type Envelope, encodeEvent, makeEvent } from "./event/codec.ts";
export {
  type EventBody,
  type EventKind,
  INPUT_KINDS,
  type KnownEvent,
  type Question,
  type TimelineEvent,
} from "./event/event.ts";
export { replacesTitle } from "./event/given-title.ts";
export { type FormField, formAnswer, formFields } from "./event/question-form.ts";
export { EFFORTS, MAX_REASONING_BUDGET, reasoningSchema, type SentReasoning } from "./event/reasoning.ts";
export { requestSettingsSchema, type SentSettings } from "./event/request-settings.ts";
export { type TurnChoice, turnChoiceIn } from "./event/turn-choice.ts";
export { previewText } from "./exec/preview.ts";
export { type ExecOutcome, execReport } from "./exec/report.ts";
export { writeWarning } from "./exec/write-warning.ts";
export type { HideRefusal, HideRequest, HideResult } from "./hide/hide.ts";
export { structuredOutput } from "./kind/assistant-completion.ts";
export type { BlockKind } from "./kind/block-kind.ts";
export { KINDS, kindOf, kindOfHeader } from "./kind/kinds.ts";
export {
  type CacheNeeds,
  finishMaintenance,
  type Maintenance,
  maintain,
  maintainClosedTurn,
  maintainInSteps,
  type RefusedRequest,
} from "./maintain.ts";
export type { BinaryMessage, FileKind, MessageBlock } from "./message/message.ts";
export {
  mergeOrders,
  nameOfOrder,
  ordersOfConversation,
  type StandingOrder,
  standingOrders,
} from "./orders/standing-orders.ts";
export { applyPatch } from "./patch/apply-patch.ts";
export { parsePath } from "./path/parse.ts";
export { formatPath } from "./path/path.ts";
export { canonicalPath, resolvePath } from "./path/resolve.ts";
export { rewriteNotice, rewritePath } from "./path/rewrite.ts";
export { formatSelector } from "./path/selector.ts";
export { acknowledgePlan } from "./plan/acknowledge.ts";
export { activePlan, isPlanComplete, type PlanSnapshot, parsePlan, renderPlan, type StepStatus } from "./plan/plan.ts";
export { closePlan, newPlan, updatePlan } from "./plan/update.ts";
export type { PrunePolicy } from "./prune/plan-prune.ts";
export type { SessionOptions } from "./prune/settings.ts";
export { type CacheMiss, cacheMisses, type ExplainedMiss, explainCacheMiss } from "./receipt/explain-cache-miss.ts";
export { makeReceipt, receiptTexts } from "./receipt/make-receipt.ts";
export { type Receipt, type ReportedUsage, type RequestTokens, receiptOf } from "./receipt/receipt.ts";
export { applyReceipt, RequestChain } from "./receipt/request-chain.ts";
export { type SentRequest, type SentTool, sentRequestOf } from "./receipt/sent-request.ts";
export { type RequestCheck, verifyRequest } from "./receipt/verify-request.ts";
export { CLIP_MARK, fileSize } from "./render/clip-note.ts";
export { debugPrint } from "./render/debug-print.ts";
export { escapeRules } from "./render/escape.ts";
export { isUndercounted } from "./render/estimate-messages.ts";
export { HEADERS } from "./render/header/headers.ts";
export type { RenderOptions } from "./render/render.ts";
export { RenderedView } from "./render/rendered-view.ts";
export { isRenderedAnew } from "./render/renderer-change.ts";
export { isEligible } from "./sources/eligible.ts";
export { LINK_SERVER, LINK_URI, withoutLink } from "./sources/link-fields.ts";
export { createPool, mergeSources, type SourcesPool } from "./sources/pool.ts";
export { publicRow } from "./sources/public-row.ts";
export { readSource } from "./sources/read.ts";
export { renderSources } from "./sources/render.ts";
export type { SourceInput, SourceRow } from "./sources/row.ts";
export { selectSources } from "./sources/select.ts";
export { findActivePlan } from "./state/active-plan.ts";
export { applyEvent, foldEvents } from "./state/apply.ts";
export { indexRows, type TextRow } from "./state/index-rows.ts";
export { composePayload, composeWorkspaceTimeline, payloadSummary, type WorkspaceTimeline } from "./state/payload.ts";
export { restoreState, SNAPSHOT_VERSION, type StateSnapshot, snapshotState } from "./state/snapshot.ts";
export { TimelineState } from "./state/state.ts";
export { Timeline, type TimelineDeps } from "./timeline.ts";
export { estimateBlock } from "./tokens/estimate.ts";
export { imageSize } from "./tokens/image-size.ts";
export { countPdfPages } from "./tokens/pdf-pages.ts";
export { loadTokenizer } from "./tokens/tokenizer.ts";
export type { RoundIcon, RoundLabel, ToolTraits } from "./tool/tool-traits.ts";
export {
  type ApprovalView,
  type ConversationView,
  emptyView,
  type PendingView,
} from "./view/conversation-view.ts";
export { fileOfBlock } from "./view/file-of-block.ts";
export type {
  CompletionView,
  FileView,
  InputView,
  OutcomeView,
  PlanView,
  RoundView,
  TurnView,
} from "./view/turn/turn-view.ts";
export { viewApproval, viewEvent, viewEvents, viewPending } from "./view/view-event.ts";
export { isPublic, publicBlock } from "./visibility/public-block.ts";
export { publicEvent } from "./visibility/public-event.ts";
export { statedVisibility, type Visibility } from "./visibility/rules/internal.ts";
