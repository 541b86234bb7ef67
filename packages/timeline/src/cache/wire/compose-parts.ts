/**
 * Converts message blocks to pieces of content that do not depend on a provider.
 *
 * Under `economic` the consecutive texts of a group become one piece: they arrive together and never change apart, so
 * one position of the provider's cache is enough for them. Pictures and documents stay on their own. Under `seed` every
 * message block is a piece.
 *
 * Providers refuse text without a visible character, lone surrogates and kinds of files they cannot read. Text without
 * visible characters is left out, lone surrogates are replaced, and unreadable files are described in words, always in
 * the same way, so that the bytes of a piece depend on nothing but its messages.
 */

import { CairnError } from "../../base/error.ts";
import type { BlobRef } from "../../block/blob.ts";
import type { BinaryMessage, FileKind, MessageBlock } from "../../message/message.ts";
import type { RenderedView } from "../../render/rendered-view.ts";
import type { WireInput, WirePart } from "./wire-request.ts";

export interface ComposedView {
  readonly stable: readonly WirePart[];
  /** For each stable piece the number of its group, ascending. */
  readonly groups: readonly number[];
  /** Pieces after which the view has a checkpoint, ascending. */
  readonly checkpoints: readonly number[];
  readonly tail: readonly WirePart[];
}

const IMAGES = new Map([
  ["image/png", "image/png"],
  ["image/jpeg", "image/jpeg"],
  ["image/jpg", "image/jpeg"],
  ["image/gif", "image/gif"],
  ["image/webp", "image/webp"],
]);

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
    stable: composer.parts,
    groups: composer.groups,
    checkpoints: piecesEndingBy(composer.ends, view.checkpoints),
    tail: tail.parts,
  };
}

class Composer {
  readonly parts: WirePart[] = [];
  readonly groups: number[] = [];
  /** For each piece the index of its last message block. */
  readonly ends: number[] = [];
  readonly #joins: boolean;
  readonly #bytesOf: WireInput["bytesOf"];
  readonly #describes: readonly FileKind[];
  #texts: string[] = [];
  #lastText = 0;
  #documents = 0;

  constructor(joins: boolean, { bytesOf, describes = [] }: WireInput) {
    this.#joins = joins;
    this.#bytesOf = bytesOf;
    this.#describes = describes;
  }

  take(message: MessageBlock, at: number, group: number): void {
    const part = message.type === "text" ? message : this.#binaryPart(message);
    if (part.type !== "text") {
      this.endGroup(group);
      this.#push(part, at, group);
      return;
    }
    this.#texts.push(part.text);
    this.#lastText = at;
    if (!this.#joins) this.endGroup(group);
  }

  /** Joins the pending texts into one piece. */
  endGroup(group: number): void {
    if (this.#texts.length === 0) return;
    const text = this.#texts.join("").toWellFormed();
    this.#texts = [];
    if (/\S/.test(text)) this.#push({ type: "text", text }, this.#lastText, group);
  }

  #push(part: WirePart, at: number, group: number): void {
    this.parts.push(part);
    this.ends.push(at);
    this.groups.push(group);
  }

  #binaryPart(message: BinaryMessage): WirePart {
    const given = message.media_type.split(";", 1)[0]?.trim().toLowerCase() ?? "";
    if (this.#describes.includes(message.type))
      return {
        type: "text",
        text: `<${message.type} media_type=${given}: not shown, this model does not take it>\n\n`,
      };
    const media_type = message.type === "image" ? IMAGES.get(given) : "application/pdf";
    if (media_type === undefined)
      return { type: "text", text: `<image media_type=${given}: not a kind that can be shown>\n\n` };
    const data = message.data ?? this.#bytes(message.blob);
    return message.type === "image"
      ? { type: "image", media_type, data }
      : { type: "document", media_type, data, nth: ++this.#documents };
  }

  #bytes(blob: BlobRef | undefined): string {
    const data = blob === undefined ? undefined : this.#bytesOf?.(blob);
    if (data === undefined)
      throw new CairnError("bytes_missing", "A picture or document has no bytes. Pass `bytesOf` to fill them in.", {
        blob,
      });
    return data;
  }
}

/**
 * The pieces that end with a checkpoint. A checkpoint on a text that was left out, or on a message inside a piece,
 * moves back to the piece before: a wire block that was sent is never cut in two.
 */
function piecesEndingBy(ends: readonly number[], checkpoints: readonly number[]): number[] {
  const pieces = new Set<number>();
  let piece = -1;
  for (const checkpoint of checkpoints) {
    while (piece + 1 < ends.length && (ends[piece + 1] ?? 0) <= checkpoint) piece++;
    if (piece >= 0) pieces.add(piece);
  }
  return [...pieces];
}
