/**
 * Opaque reasoning: what a provider wants back together with the decision that followed from it. The reasoning is
 * sealed: only the model that produced it can read it, and only while every byte is unchanged.
 *
 * Reasoning is stored in `meta.reasoning` of the call or the answer that it precedes. If the block of the call or
 * answer is hidden, pruned, clipped or compacted, its reasoning is no longer sent. Reasoning is never rendered, and
 * leaves the store only in exports and in the bodies of past requests.
 */
import { isJsonObject, type JsonObject } from "../base/json.ts";
import type { CountTokens } from "../base/ports.ts";
import type { Block } from "./block.ts";

export interface ReasoningPiece {
  /** The readable part of the reasoning; may be empty. */
  readonly text: string;
  /** The sealed part: fields by the name of the provider's package, such as `{anthropic: {signature}}`. */
  readonly options: JsonObject;
  /** Number of characters of the notes or the answer that precede this piece; 0 when the piece comes first. */
  readonly after: number;
}

export interface KeptReasoning {
  /** The model that produced it, such as `anthropic:claude-…`. */
  readonly model: string;
  readonly pieces: readonly ReasoningPiece[];
  /** Sealed fields of the call itself (Gemini's thought signature); null if it has none. */
  readonly call: JsonObject | null;
}

export function reasoningField({ model, pieces, call }: KeptReasoning): JsonObject {
  if (pieces.length === 0 && call === null) return {};
  const listed = pieces.map(({ text, options, after }) => ({ text, options, after }));
  return { reasoning: { model, pieces: listed, ...(call === null ? {} : { call }) } };
}

/** Reads the reasoning of a block; null when it has none that can be read. */
export function reasoningOf({ meta }: Block): KeptReasoning | null {
  const kept = meta?.reasoning;
  if (!isJsonObject(kept) || typeof kept.model !== "string" || !Array.isArray(kept.pieces)) return null;
  const pieces = kept.pieces.flatMap((piece): ReasoningPiece[] => {
    if (!isJsonObject(piece)) return [];
    const { text, options, after } = piece;
    if (typeof text !== "string" || !isJsonObject(options) || typeof after !== "number") return [];
    return [{ text, options, after }];
  });
  return { model: kept.model, pieces, call: isJsonObject(kept.call) ? kept.call : null };
}

/** Estimated characters of sealed reasoning per token; only the provider can count the tokens. */
const SEALED_CHARS = 4;

/** Estimated tokens of a piece that is sent back. Providers bill the sealed part; the text may only summarise it. */
export function pieceTokens(text: string, sealed: JsonObject, countTokens: CountTokens): number {
  return Math.max(countTokens(text), Math.ceil(JSON.stringify(sealed).length / SEALED_CHARS));
}

/** The block as it may leave the store; the same object if it has no reasoning. */
export function withoutReasoning(block: Block): Block {
  if (block.meta?.reasoning === undefined) return block;
  const { reasoning: _, ...meta } = block.meta;
  return { ...block, meta };
}
