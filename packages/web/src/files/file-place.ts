/** Where a file comes from, in words: the turn that wrote it, or the question it was attached to. */
import { CairnError, parsePath, type TurnView } from "@cairn/timeline";
import { turnName } from "../state/turn-name.ts";

const FOLDER = /^files\//;

/** `n`: number of the turn, if the turn is not loaded; null while the number is unknown. */
export function filePlace(
  path: string,
  turns: readonly Pick<TurnView, "turn_id" | "n" | "prompt">[],
  n: number | null,
): string {
  const place = partsOf(path);
  if (place === null) return path;
  const turn = turns.find(({ turn_id }) => turn_id === place.turn);
  const number = turn?.n ?? n;
  if (place.inTurn === null) return number === null ? "Attached" : `Attached to question ${number}`;
  const name = place.inTurn.replace(FOLDER, "");
  if (turn !== undefined) return `${name} · ${turnName(turn)}`;
  return number === null ? name : `${name} · Turn ${number}`;
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
