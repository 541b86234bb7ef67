/** The parts of an answer as rows, with the name of each part, and whether it is short enough to be open at first. */
import type { AnswerPart } from "@cairn/api";

export interface AnswerRow {
  readonly key: string;
  readonly label: string;
  readonly text: string;
  /** The text's language, as the highlighter names it; plain text when empty. */
  readonly language: string;
  readonly tokens: number;
  readonly position: number;
  readonly isShort: boolean;
}

const LABELS: Readonly<Record<AnswerPart["kind"], string>> = {
  thinking: "Reasoning",
  notes: "Notes",
  call: "Call",
  answer: "Answer",
  unread: "Incomplete or invalid answer",
  summary: "Summary",
  failure: "Written by Cairn, because the turn failed",
};
const SHORT_LENGTH = 1_500;

export function answerRows(parts: readonly AnswerPart[]): readonly AnswerRow[] {
  return parts.map(({ kind, position, text, tokens, tool_id }) => ({
    key: `answer ${position}`,
    label: kind === "call" && tool_id !== null ? `Call: ${tool_id}` : LABELS[kind],
    text,
    language: kind === "call" ? "json" : "",
    tokens,
    position,
    isShort: text.length <= SHORT_LENGTH,
  }));
}
