/**
 * One render: the stable message blocks, the checkpoints among them and the volatile tail.
 *
 * Creating a render costs nothing per message: the stable list is shared with later renders, which only append to it,
 * and `cache` is set when a message is read. `messages()` copies everything into a plain list.
 */
import type { MessageBlock } from "../message/message.ts";
import type { Origin } from "./origin.ts";

export class RenderedView implements Iterable<MessageBlock> {
  readonly #stable: readonly MessageBlock[];
  readonly #checkpoints: ReadonlySet<number>;
  /** Number of stable message blocks; the tail begins there. */
  readonly stableLength: number;
  /** The volatile part, which is never cached. */
  readonly tail: readonly MessageBlock[];
  /** Indices of the message blocks that carry `cache: true`, ascending. */
  readonly checkpoints: readonly number[];
  readonly #groupStarts: readonly number[];
  readonly #groupCount: number;
  readonly #origins: readonly Origin[];
  readonly #originCount: number;

  constructor(
    stable: readonly MessageBlock[],
    stableLength: number,
    checkpoints: readonly number[],
    tail: readonly MessageBlock[],
    groupStarts: readonly number[],
    origins: readonly Origin[] = [],
  ) {
    this.#stable = stable;
    this.#checkpoints = new Set(checkpoints);
    this.stableLength = stableLength;
    this.checkpoints = checkpoints;
    this.tail = tail;
    this.#groupStarts = groupStarts;
    this.#groupCount = groupStarts.length;
    this.#origins = origins;
    this.#originCount = origins.length;
  }

  /** Runs of stable messages that arrived together and may be sent as one: `[from, to)`, oldest first. */
  *groups(): Generator<readonly [from: number, to: number]> {
    for (let i = 0; i < this.#groupCount; i++) {
      const next = i + 1 < this.#groupCount ? this.#groupStarts[i + 1] : undefined;
      yield [this.#groupStarts[i] ?? 0, next ?? this.stableLength];
    }
  }

  /** The entries of the stable messages, oldest first; none for a view that no timeline rendered. */
  *origins(): Generator<Origin> {
    for (let i = 0; i < this.#originCount; i++) {
      const origin = this.#origins[i];
      if (origin !== undefined) yield origin;
    }
  }

  get length(): number {
    return this.stableLength + this.tail.length;
  }

  at(index: number): MessageBlock | undefined {
    if (index >= this.stableLength) return this.tail[index - this.stableLength];
    const message = this.#stable[index];
    return message !== undefined && this.#checkpoints.has(index) ? { ...message, cache: true } : message;
  }

  /** A stable message as stored, without a checkpoint mark. */
  stableAt(index: number): MessageBlock | undefined {
    return index < this.stableLength ? this.#stable[index] : undefined;
  }

  /** Whether this render continues an earlier one on the same growing list, and so begins with its messages. */
  continues(earlier: RenderedView): boolean {
    return this.#stable === earlier.#stable && this.stableLength >= earlier.stableLength;
  }

  *[Symbol.iterator](): Generator<MessageBlock> {
    for (let i = 0; i < this.length; i++) {
      const message = this.at(i);
      if (message !== undefined) yield message;
    }
  }

  messages(): MessageBlock[] {
    const messages = this.#stable.slice(0, this.stableLength);
    for (const index of this.checkpoints) {
      const message = this.at(index);
      if (message !== undefined) messages[index] = message;
    }
    for (const message of this.tail) messages.push(message);
    return messages;
  }
}
