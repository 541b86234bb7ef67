/** Where a file comes from, in words: the turn that wrote it, or the question it was attached to. */
import { CairnError, parsePath, type TurnView } from "@cairn/timeline";
import { turnName } from "../state/turn-name.ts";

const FOLDER = /^files\//;

/** The path itself if its turn is not loaded. */
export function filePlace(path: string, turns: readonly Pick<TurnView, "turn_id" | "n" | "prompt">[]): string {
  const place = partsOf(path);
  const turn = place === null ? undefined : turns.find(({ turn_id }) => turn_id === place.turn);
  if (place === null || turn === undefined) return path;
  if (place.inTurn === null) return `Attached to question ${turn.n}`;
  return `${place.inTurn.replace(FOLDER, "")} · ${turnName(turn)}`;
}

function partsOf(path: string): { readonly turn: string; readonly inTurn: string | null } | null {
  try {
    const parsed = parsePath(path);
    if (parsed.kind === "attachment") return { turn: parsed.turn, inTurn: null };
    return parsed.kind === "file" ? { turn: parsed.turn, inTurn: parsed.rel } : null;
  } catch (error) {
    // Another program may have imported a file with any path.
    if (CairnError.is(error)) return null;
    throw error;
  }
}
