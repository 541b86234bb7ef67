/** Titles of conversations: the request to a model, the parsing of its answer, and the fallback without a model. */
import type { ModelUsage } from "../model/model.ts";

/** The result of a request for a title. */
export interface TitleAnswer {
  readonly title: string | null;
  /** The title that the new title replaces. */
  readonly replaces: string;
  readonly usage: ModelUsage;
}

const MAX_LENGTH = 60;

export const TITLE_INSTRUCTION =
  "Give this conversation a title: two to seven words, in the user's language, on one line, without quotation marks. Say nothing else.";

/** A title made from the beginning of the first message. */
export function titleOfPrompt(message: string): string {
  return clip(oneLine(message));
}

/** Extracts a title from a model's answer; null when the answer contains none. */
export function titleOfAnswer(answer: string): string | null {
  const line = oneLine(answer)
    .replace(/^(?:#+|\*+|title:)\s*/i, "")
    .replace(/^["'“„«‘*_`]+|["'”“»’*_`]+$/g, "")
    .replace(/(?<=\p{L})\.$/u, "")
    .trim();
  return line === "" ? null : clip(line);
}

function oneLine(text: string): string {
  // An import of this module would load all that it exports, such as worker threads.
  const { stripVTControlCharacters } = process.getBuiltinModule("node:util");
  const lines = stripVTControlCharacters(text.slice(0, 10_000)).split(/[\r\n\u2028\u2029]+/);
  const first = lines.find((line) => line.trim() !== "") ?? "";
  return first
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zs}]+/gu, " ")
    .trim();
}

function clip(line: string): string {
  const characters = [...line];
  return characters.length <= MAX_LENGTH
    ? line
    : `${characters
        .slice(0, MAX_LENGTH - 1)
        .join("")
        .trimEnd()}…`;
}
