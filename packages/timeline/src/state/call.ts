/**
 * A call as the blocks of a slice know it. It is the call's turn and id together that name it: ids may repeat from
 * turn to turn. Every entry of the call shares this object.
 */
import type { JsonObject } from "../json.ts";

/** What a call's blocks need to know of the block that made it. */
export interface CallBlock {
  readonly json: JsonObject | null;
}

export class Call {
  readonly id: string;
  readonly turn: string;
  /** The block that made the call, once it was seen. */
  block: CallBlock | null = null;

  constructor(turn: string, id: string) {
    this.turn = turn;
    this.id = id;
  }
}

/** The calls of one slice. A summary begins a new one: what stands before it is not seen from behind it. */
export class Calls {
  readonly #byTurn = new Map<string, Map<string, Call>>();
  #last: Call | null = null;

  find(turn: string, id: string): Call | null {
    // Most blocks follow another of the same call.
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
