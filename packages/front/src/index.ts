/** The library for agents in an application: `tool`, `agent`, `createCairn`. Importing it loads no other code. */
export type {
  AgentHooks,
  AgentMemory,
  AnsweredRequest,
  Budgets,
  Caller,
  DeclaredTraits,
  EndedTurn,
  Hook,
  HookContext,
  HookedCall,
  MadeCall,
  ModelUsage,
  NextDecision,
  Reasoning,
  Refusal,
  RequestSettings,
  ToolPolicies,
  ToolPolicy,
  UserBudget,
} from "@cairn/agent";
export type { Scope } from "@cairn/store";
export type { FileView, Json, JsonObject, PlanView, SourceInput, SourceRow, StepStatus } from "@cairn/timeline";
export { CairnError } from "@cairn/timeline/error";
export { createCairn } from "./create-cairn.ts";
export { type Agent, type AgentOptions, agent } from "./define/agent.ts";
export type { CairnOptions } from "./define/cairn-options.ts";
export { type JudgedCall, type Tool, type ToolCall, type ToolOptions, tool } from "./define/tool.ts";
export type { Attachment } from "./library/attachments.ts";
export type { BatchOptions, BatchResult } from "./library/batch.ts";
export type { Cairn, Imported, ImportOptions } from "./library/cairn.ts";
export type {
  Content,
  Conversation,
  ConversationOptions,
  ForkOptions,
  OutputOptions,
  SendOptions,
} from "./library/conversation.ts";
export type { Message, MessagesOptions } from "./library/messages.ts";
export type { Run, RunResult } from "./library/run.ts";
export type {
  Approval,
  ApprovalOptions,
  ApprovalPart,
  ClientAnswer,
  ClientToolPart,
  FilePart,
  NoticePart,
  PlanPart,
  ReasoningPart,
  RefusalOptions,
  RunPart,
  SourcePart,
  TextPart,
  ToolPart,
} from "./library/run-part.ts";
export type { RunSpending, Usage } from "./library/run-spending.ts";
export type { TurnResult } from "./library/turn-result.ts";
export type { Log, LogFields } from "./telemetry/log.ts";
export type { ImportedMessages } from "./transcript/import-messages.ts";
export type { MessageFormat } from "./transcript/message-format.ts";
export type { ImportLoss, LossCode } from "./transcript/transcript-builder.ts";
