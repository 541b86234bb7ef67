/** A name of a turn for people: its number and the first words of its question. */
import type { TurnView } from "@cairn/timeline";
import { useCallback } from "react";
import { useApp } from "./app-state.ts";

const MAX_WORDS_LENGTH = 40;

export function turnName({ n, prompt }: Pick<TurnView, "n" | "prompt">): string {
  const words = prompt.text.replace(/\s+/g, " ").trim();
  const short = words.length > MAX_WORDS_LENGTH ? `${words.slice(0, MAX_WORDS_LENGTH).trimEnd()}…` : words;
  return short === "" ? `Turn ${n}` : `Turn ${n}: ${short}`;
}

/** The id of a turn that the page has not loaded. */
export function useTurnName(turnId: string | null): string {
  const turn = useApp(
    useCallback(({ session }) => session?.view.turns.find(({ turn_id }) => turn_id === turnId), [turnId]),
  );
  return turn === undefined ? (turnId ?? "") : turnName(turn);
}
