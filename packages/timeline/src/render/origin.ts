/**
 * The origin of message blocks: the block of the timeline that they render. An origin is never rendered itself. A
 * lowering reads origins to send a conversation in the roles of a provider, and so never parses what was rendered.
 *
 * Blocks that show nothing have an origin too, because a hidden call still needs its pair. An origin keeps references
 * only; the raw text is that of the block.
 */
import type { JsonObject } from "../base/json.ts";
import type { Block } from "../block/block.ts";
import { iterationOf } from "../block/call.ts";
import type { Overlay } from "../block/overlay.ts";
import type { BlockKind, PlacedCall } from "../kind/block-kind.ts";
import type { Entry } from "../state/entry.ts";
import { isSameGroup } from "./groups.ts";

export class Origin {
  /** Index of the block's first message block in the stable part of the view. `to` is the index after the last one. */
  readonly from: number;
  readonly to: number;
  /** Whether the model sees the block unchanged. */
  readonly isWhole: boolean;
  /** The overlay that hides the block; null if there is none. */
  readonly overlay: Overlay | null;
  /** Whether the messages are the error of a call that was lost, and not the view of the block. */
  readonly isLost: boolean;
  readonly #entry: Entry;

  constructor(entry: Entry, from: number, to: number, isLost = false) {
    this.#entry = entry;
    this.from = from;
    this.to = to;
    this.isLost = isLost;
    this.isWhole = entry.isWhole;
    this.overlay = entry.overlay;
  }

  get block(): Block {
    return this.#entry.block;
  }

  get role(): BlockKind["role"] {
    return this.#entry.kind.role;
  }

  get call(): PlacedCall | null {
    return this.#entry.call;
  }

  /** The tool of the call; null if unknown. */
  get tool(): string | null {
    return this.#entry.tool;
  }

  get path(): string | null {
    return this.#entry.path;
  }

  /** The JSON object in the block's text, or null. */
  get json(): JsonObject | null {
    return this.#entry.json;
  }

  /** Identifies the decision of the block; null if the block does not name it. */
  get decision(): string | null {
    const iteration = iterationOf(this.block);
    return iteration === null ? null : `${this.block.turn_id ?? ""} ${iteration}`;
  }

  /** Whether the messages of two origins arrived together and may be sent as one message. */
  isGroupedWith(other: Origin): boolean {
    return !this.isLost && !other.isLost && isSameGroup(other.#entry, this.#entry);
  }
}
