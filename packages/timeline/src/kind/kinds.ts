/** The table of block kinds. To add a block type, write its file in this folder and add a line here. */
import { assistantCompletion } from "./assistant-completion.ts";
import type { BlockKind } from "./block-kind.ts";
import { carriedKinds } from "./carried.ts";
import { convRangeSummary } from "./conv-range-summary.ts";
import { reactCompletion } from "./react-completion.ts";
import { reactDecisionRaw } from "./react-decision-raw.ts";
import { reactExit } from "./react-exit.ts";
import { reactNote } from "./react-note.ts";
import { reactNotes } from "./react-notes.ts";
import { reactNotice } from "./react-notice.ts";
import { reactPlan } from "./react-plan.ts";
import { reactState } from "./react-state.ts";
import { reactThinking } from "./react-thinking.ts";
import { reactToolCall } from "./react-tool-call.ts";
import { reactToolCode } from "./react-tool-code.ts";
import { reactToolResult } from "./react-tool-result.ts";
import { suggestedFollowups } from "./suggested-followups.ts";
import { systemMessage } from "./system-message.ts";
import { turnFeedback } from "./turn-feedback.ts";
import { turnHeader } from "./turn-header.ts";
import { unknownKind } from "./unknown.ts";
import { userAttachment } from "./user-attachment.ts";
import { userAttachmentMeta } from "./user-attachment-meta.ts";
import { userPrompt } from "./user-prompt.ts";

export const KINDS: readonly BlockKind[] = [
  turnHeader,
  userPrompt,
  userAttachmentMeta,
  userAttachment,
  ...carriedKinds,
  suggestedFollowups,
  reactPlan,
  reactNotes,
  reactNote,
  reactThinking,
  reactToolCode,
  reactToolCall,
  reactNotice,
  reactToolResult,
  reactDecisionRaw,
  reactCompletion,
  reactState,
  reactExit,
  assistantCompletion,
  turnFeedback,
  systemMessage,
  convRangeSummary,
];

const BY_TYPE: ReadonlyMap<string, BlockKind> = new Map(KINDS.map((kind) => [kind.type, kind]));

export function kindOf(type: string): BlockKind {
  return BY_TYPE.get(type) ?? unknownKind;
}

/** The kind whose views begin with this line; null for any other line. */
export function kindOfHeader(line: string): BlockKind | null {
  return KINDS.find(({ header }) => header !== null && line.startsWith(header)) ?? null;
}
