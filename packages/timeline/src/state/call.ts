/** A call within a slice, shared by its entries. Its turn and id identify it, because ids repeat in later turns. */
import type { JsonObject } from "../base/json.ts";
import type { Block } from "../block/block.ts";

/** The facts about the block that made a call, for the other blocks of the call. */
export interface CallBlock {
  readonly block: Block;
  readonly json: JsonObject | null;
}

export class Call {
  readonly id: string;
  readonly turn: string;
  /** The block that made the call, if it was seen. */
  block: CallBlock | null = null;

  constructor(turn: string, id: string) {
    this.turn = turn;
    this.id = id;
  }
}

/** The calls of one slice. A summary begins a new slice: blocks before it are not visible from there. */
export class Calls {
  readonly #byTurn = new Map<string, Map<string, Call>>();
  #last: Call | null = null;

  find(turn: string, id: string): Call | null {
    // The last call is tried first, because most blocks follow another of the same call.
    if (this.#last !== null && this.#last.id === id && this.#last.turn === turn) return this.#last;
    return this.#byTurn.get(turn)?.get(id) ?? null;
  }

  add(call: Call): void {
    const ofTurn = this.#byTurn.get(call.turn);
    if (ofTurn === undefined) this.#byTurn.set(call.turn, new Map([[call.id, call]]));
    else ofTurn.set(call.id, call);
    this.#last = call;
  }
}
