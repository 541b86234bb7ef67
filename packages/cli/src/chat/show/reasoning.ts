/** The reasoning of a turn in the terminal: one line of it, and the whole text with `/reasoning`. */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { kindOf, publicBlock } from "@cairn/timeline";
import { plainLine } from "../../command/terminal.ts";

const MAX_LENGTH = 60;

/** One line for the reasoning before a decision. */
export function foldReasoning(text: string): string {
  const words = text.split(/\s+/).filter((word) => word !== "").length;
  const line = plainLine(text.trim().replace(/\s+/g, " "));
  const begin = line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH).toWellFormed().trimEnd()}…`;
  return `◦ reasoning, ${words} ${words === 1 ? "word" : "words"}: ${begin}`;
}

/** The reasoning of the last turn, one text for each decision. */
export async function lastReasoning(store: ConversationStore, key: ConversationKey): Promise<string[]> {
  const { state } = await store.load(key);
  const turnId = state.turnIds.at(-1);
  if (turnId === undefined) return [];
  return state
    .turnEntries(turnId)
    .map(({ block }) => publicBlock(block))
    .flatMap(({ type, text = "" }) => (kindOf(type).role === "thinking" && text !== "" ? [text] : []));
}
