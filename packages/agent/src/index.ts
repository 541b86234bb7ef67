/** Runs turns: decisions, tools, budgets, and a loop that can be interrupted at any instruction. */

export type { AgentMemory } from "./definition/agent-memory.ts";
export type { Caller } from "./definition/caller.ts";
export { checkAgentFits, describeToolFitting } from "./definition/check-agent-fits.ts";
export {
  type AgentDefinition,
  type Budgets,
  defineAgent,
  type UserBudget,
} from "./definition/define-agent.ts";
export type {
  AgentHooks,
  AnsweredRequest,
  EndedTurn,
  Hook,
  HookContext,
  HookedCall,
  MadeCall,
  NextDecision,
  Refusal,
} from "./definition/hooks.ts";
export { withFoundTools } from "./definition/with-found-tools.ts";
export { type AiSdkModelOptions, aiSdkModel } from "./model/ai-sdk-model.ts";
export type {
  FinishReason,
  Model,
  ModelPart,
  ModelRequest,
  ModelUsage,
  SentBody,
  ToolSpec,
} from "./model/model.ts";
export { ModelError, type ModelErrorKind } from "./model/model-error.ts";
export type { ModelFacts, ModelPrices, Provider, ToolNameRule } from "./model/providers/provider.ts";
export { MODEL_PROVIDERS } from "./model/providers/registry.ts";
export { type Redact, redactor, secretsOf } from "./model/redact.ts";
export {
  type ProviderOptions,
  type Reasoning,
  type RequestSettings,
  readSettings as readRequestSettings,
  type ToolChoice,
  writeSettings as writeRequestSettings,
} from "./model/request-settings.ts";
export { offlineModel } from "./offline/offline-model.ts";
export type { SearchPlace } from "./offline/search-place.ts";
export { changeOrder, listOrders, type OrderChange } from "./orders/change-order.ts";
export { type OutputSchema, readOutputSchema } from "./output/output-schema.ts";
export { confinedFlags, type ProcessLimits, runLimited } from "./process/limited-job.ts";
export { Places } from "./process/places.ts";
export { ProcessPool, type ProcessPoolOptions } from "./process/process-pool.ts";
export { residentBytes } from "./process/resident-memory.ts";
export { unlessAborted } from "./process/unless-aborted.ts";
export { type KeptFile, keepFile } from "./react/kept-file.ts";
export { reactTools } from "./react/react-tools.ts";
export type { FollowLink } from "./react/read.ts";
export { noRequest, type PastRequest, rebuildRecorded, rebuildRequest } from "./receipt/past-request.ts";
export {
  type RecordedRequest,
  RequestReader,
  recordedRequests,
} from "./receipt/recorded-requests.ts";
export type { CacheEntry } from "./receipt/request-record.ts";
export { type SpelledRequest, spellerOf, spellRequest } from "./receipt/spell-request.ts";
export { type ResolveOptions, resolveModel, resolveSpeller, spellerEnvironment } from "./resolve/resolve-model.ts";
export { schemaCheck } from "./schema/schema-check.ts";
export { uncheckedPatterns } from "./schema/schema-patterns.ts";
export { FairLine } from "./share/fair-line.ts";
export {
  HeldShares,
  type ReachedLimit,
  type ShareLimits,
  type Shares,
  scopeOf,
  shareLimits,
  WHOLE,
} from "./share/held-shares.ts";
export { loadSkills, type SkillFolder } from "./skill/load-skills.ts";
export { describeSkills, type Skill } from "./skill/skill.ts";
export { skillFiles } from "./skill/skill-files.ts";
export { checkParams } from "./tool/check-params.ts";
export { answerApproval, type ConsentAnswer, consentHash } from "./tool/consent.ts";
export { type Answered, Asking } from "./tool/question.ts";
export {
  type AnyTool,
  defineTool,
  type Scribe,
  type Settlement,
  type Tool,
  type ToolContext,
  type ToolEnvelope,
} from "./tool/tool.ts";
export { TOOL_POLICIES, type ToolPolicies, type ToolPolicy } from "./tool/tool-policy.ts";
export type { DeclaredTraits } from "./tool/tool-traits.ts";
export type { Transcript, TranscriptFile, TranscriptPrompt, TranscriptResult } from "./transcript/transcript.ts";
export { transcriptEvents } from "./transcript/transcript-events.ts";
export type { TurnEnd, TurnExit } from "./turn/close/finish-turn.ts";
export { releaseTurn } from "./turn/close/release-turn.ts";
export { thisMachine } from "./turn/machine.ts";
export { nextRequest } from "./turn/request/next-request.ts";
export { type RunTurnOptions, runTurn, type TurnOutcome } from "./turn/run-turn.ts";
export type { TurnListener, TurnSignal } from "./turn/state/listener.ts";
export { readStreamName, type StreamKind } from "./turn/state/stream-name.ts";
export { decodeText, mimeOfName, nameOfMime, pixelsOf, sniffMime } from "./workspace/media.ts";
export { ifMissing, isMissing } from "./workspace/missing-file.ts";
export { openStoreWorkspace } from "./workspace/store-workspace.ts";
export { isDocumentMime } from "./workspace/whole-content.ts";
export type { Hosted, Workspace } from "./workspace/workspace.ts";
