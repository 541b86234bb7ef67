/**
 * The sealed reasoning of a decision, as blocks store it: before the call or the answer that resulted from it. Pieces
 * after the last call, or after the whole answer, have no such block and are not stored.
 */
import { type JsonObject, type ReasoningPiece, reasoningField } from "@cairn/timeline";
import type { RawDecision, RawReasoning } from "../../protocol/decision.ts";

export interface Reasoned {
  /** The model that reasoned. */
  readonly model: string;
  readonly raw: RawDecision;
}

/** The meta field of a call. `number`: the call's place in the answer; `previous`: the last call's place, or null. */
export function reasoningOfCall(reasoned: Reasoned | null, number: number, previous: number | null): JsonObject {
  if (reasoned === null) return {};
  const { model, raw } = reasoned;
  const own = (raw.reasoning ?? []).filter(({ calls }) => calls <= number && (previous === null || calls > previous));
  const pieces = placeAll(own, raw.text, previous === null);
  return reasoningField({ model, pieces, call: raw.calls[number]?.sealed ?? null });
}

/**
 * The meta field of an answer with this text. Providers refuse a message that ends with reasoning, so only pieces that
 * are followed by text are kept. If the text does not begin with the model's words, as for structured output, the
 * pieces come before the whole text. An answer without words of the model has no pieces.
 */
export function reasoningOfAnswer(reasoned: Reasoned | null, text: string): JsonObject {
  if (reasoned === null) return {};
  const { model, raw } = reasoned;
  const said = raw.text.trim();
  if (said === "" && raw.calls.length === 0) return {};
  const pieces = placeAll(raw.reasoning ?? [], raw.text, text.startsWith(said));
  return reasoningField({ model, pieces: pieces.filter(({ after }) => after < text.length), call: null });
}

/**
 * Two pieces are never put at the same place: only the first of them is kept. OpenAI may refuse reasoning that is
 * directly followed by other reasoning: https://github.com/UKGovernmentBEIS/inspect_ai/pull/1990 (2025-06-10).
 */
function placeAll(pieces: readonly RawReasoning[], said: string, hasText: boolean): ReasoningPiece[] {
  const firsts = new Map<number, RawReasoning>();
  return pieces.flatMap((piece) => {
    const placed = place(piece, said, hasText);
    const first = firsts.get(placed.after) ?? piece;
    firsts.set(placed.after, first);
    return first.chars === piece.chars && first.calls === piece.calls ? [placed] : [];
  });
}

/** The stored text has no blanks at its ends. Notes come only before the first call. */
function place({ text, options, chars }: RawReasoning, said: string, hasText: boolean): ReasoningPiece {
  const skipped = said.length - said.trimStart().length;
  const after = hasText ? Math.min(Math.max(0, chars - skipped), said.trim().length) : 0;
  return { text: text.toWellFormed(), options, after };
}
