/**
 * Converts message blocks to pieces of content that do not depend on a provider, all in the user's role (`flat`).
 *
 * Under `economic` the consecutive texts of a group become one piece: they are added together and change only together,
 * so one position of the provider's cache is enough for them. Pictures and documents stay on their own. Under `seed`
 * every message block is a piece.
 */
import type { MessageBlock } from "../../message/message.ts";
import type { RenderedView } from "../../render/rendered-view.ts";
import { ContentReader, textPart } from "./content-part.ts";
import type { WireInput, WirePart, WireRole } from "./wire-request.ts";

export interface Piece {
  readonly part: WirePart;
  readonly role: WireRole;
}

export interface ComposedView {
  readonly stable: readonly Piece[];
  /** The number of the group of each stable piece, ascending. */
  readonly groups: readonly number[];
  /** Pieces after which the view has a checkpoint, ascending. */
  readonly checkpoints: readonly number[];
  /** Pieces at the end of the request that are not cached. */
  readonly tail: readonly Piece[];
}

export function composeParts(view: RenderedView, input: WireInput): ComposedView {
  const composer = new Composer((input.strategy ?? "economic") === "economic", input);
  let group = 0;
  for (const [from, to] of view.groups()) {
    for (let at = from; at < to; at++) {
      const message = view.at(at);
      if (message !== undefined) composer.take(message, at, group);
    }
    composer.endGroup(group++);
  }
  const tail = new Composer(false, input);
  for (const [at, message] of view.tail.entries()) tail.take(message, at, 0);
  return {
    stable: composer.pieces,
    groups: composer.groups,
    checkpoints: piecesEndingBy(composer.ends, view.checkpoints),
    tail: tail.pieces,
  };
}

class Composer {
  readonly pieces: Piece[] = [];
  readonly groups: number[] = [];
  /** For each of `pieces`, the index in the view of the last message block that it contains. */
  readonly ends: number[] = [];
  readonly #joins: boolean;
  readonly #reader: ContentReader;
  #texts: string[] = [];
  #lastText = 0;

  constructor(joins: boolean, input: WireInput) {
    this.#joins = joins;
    this.#reader = new ContentReader(input);
  }

  take(message: MessageBlock, at: number, group: number): void {
    const part = this.#reader.read(message);
    if (part.type !== "text") {
      this.endGroup(group);
      this.#push(part, at, group);
      return;
    }
    this.#texts.push(part.text);
    this.#lastText = at;
    if (!this.#joins) this.endGroup(group);
  }

  endGroup(group: number): void {
    if (this.#texts.length === 0) return;
    const part = textPart(this.#texts);
    this.#texts = [];
    if (part !== null) this.#push(part, this.#lastText, group);
  }

  #push(part: WirePart, at: number, group: number): void {
    this.pieces.push({ part, role: "user" });
    this.ends.push(at);
    this.groups.push(group);
  }
}

/**
 * The pieces that end with a checkpoint. A checkpoint on a text that was left out, or on a message inside a piece,
 * moves back to the piece before: a wire block that was sent is never cut in two.
 */
export function piecesEndingBy(ends: readonly number[], checkpoints: readonly number[]): number[] {
  const pieces = new Set<number>();
  let piece = -1;
  for (const checkpoint of checkpoints) {
    while (piece + 1 < ends.length && (ends[piece + 1] ?? 0) <= checkpoint) piece++;
    if (piece >= 0) pieces.add(piece);
  }
  return [...pieces];
}
