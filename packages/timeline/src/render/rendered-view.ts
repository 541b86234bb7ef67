/**
 * One render: the stable message blocks, the checkpoints among them and the volatile tail.
 *
 * Making one costs nothing per message: the stable list is shared with later renders, which only add to its end, and
 * `cache` is set when a message is looked at. `messages()` copies everything into a plain list.
 */
import type { MessageBlock } from "./message.ts";

export class RenderedView implements Iterable<MessageBlock> {
  readonly #stable: readonly MessageBlock[];
  readonly #checkpoints: ReadonlySet<number>;
  /** Number of stable message blocks; the tail begins there. */
  readonly stableLength: number;
  /** What changes with every request and is never cached. */
  readonly tail: readonly MessageBlock[];
  /** Indices of the message blocks that carry `cache: true`, ascending. */
  readonly checkpoints: readonly number[];

  constructor(
    stable: readonly MessageBlock[],
    stableLength: number,
    checkpoints: readonly number[],
    tail: readonly MessageBlock[],
  ) {
    this.#stable = stable;
    this.#checkpoints = new Set(checkpoints);
    this.stableLength = stableLength;
    this.checkpoints = checkpoints;
    this.tail = tail;
  }

  get length(): number {
    return this.stableLength + this.tail.length;
  }

  at(index: number): MessageBlock | undefined {
    if (index >= this.stableLength) return this.tail[index - this.stableLength];
    const message = this.#stable[index];
    return message !== undefined && this.#checkpoints.has(index) ? { ...message, cache: true } : message;
  }

  *[Symbol.iterator](): Generator<MessageBlock> {
    for (let i = 0; i < this.length; i++) {
      const message = this.at(i);
      if (message !== undefined) yield message;
    }
  }

  messages(): MessageBlock[] {
    return [...this];
  }
}
