/**
 * The memory that large bodies may take together. One body is bounded by what a request may bring; many at once would
 * still fill the machine. What a body has beyond a little counts while its request is dealt with, so that a short
 * message finds room however many files are being sent.
 */
import { CairnError } from "@cairn/timeline";

/** More than any body without files needs. */
export const MOST_JSON_BYTES = 1_000_000;

export class BodyRoom {
  readonly #most: number;
  #held = 0;

  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  /** For one request. */
  open(): HeldBody {
    let size = 0;
    let held = 0;
    return {
      grow: (bytes) => {
        size += bytes;
        const more = Math.max(0, size - MOST_JSON_BYTES) - held;
        if (more <= 0) return;
        if (this.#held + more > this.#most)
          throw new CairnError("queue_full", "Too many uploads are in progress. Send this request again in a moment.");
        held += more;
        this.#held += more;
      },
      letGo: () => {
        this.#held -= held;
        held = 0;
      },
    };
  }
}

export interface HeldBody {
  /** So many bytes more. Throws `queue_full`. */
  readonly grow: (bytes: number) => void;
  /** When the request is done with. */
  readonly letGo: () => void;
}
