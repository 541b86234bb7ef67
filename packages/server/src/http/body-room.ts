/** Memory for request bodies, shared out between users and tenants. The first megabyte of a request is free. */
import { HeldShares, type ShareLimits } from "@cairn/agent";
import type { Scope } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import { overShare } from "cairn-agent/turns";

/** Maximum size of a JSON body, more than any request without files needs. */
export const MAX_JSON_BYTES = 1_000_000;

const RETRY_SECONDS = 2;

export class BodyRoom {
  readonly #held: HeldShares;

  constructor(limits: ShareLimits) {
    this.#held = new HeldShares(limits);
  }

  /** Reserves room for one body. `owner` is called when the body is read, because the sender is not known before. */
  open(owner: () => Scope): HeldBody {
    let size = 0;
    let held = 0;
    const hold = (bytes: number) => {
      size = bytes;
      const more = Math.max(0, size - MAX_JSON_BYTES) - held;
      if (more === 0) return;
      const reached = more > 0 ? this.#held.reached(owner(), more) : null;
      if (reached !== null && size - MAX_JSON_BYTES > reached.allowed) throw tooLarge(reached.allowed + MAX_JSON_BYTES);
      if (reached !== null) throw overShare("uploads", reached, RETRY_SECONDS);
      held += more;
      this.#held.take(owner(), more);
    };
    return {
      grow: (bytes) => hold(size + bytes),
      hold,
      release: () => {
        if (held > 0) this.#held.give(owner(), held);
        held = 0;
      },
    };
  }
}

/** The error for a body that is larger than all memory for bodies, so that waiting would not help. */
function tooLarge(limit: number): CairnError {
  const cure = "Send less at once, or ask the operator to raise CAIRN_UPLOAD_MB.";
  return new CairnError("too_large", `The request needs more than ${limit} bytes of memory at once. ${cure}`, {
    limit,
  });
}

export interface HeldBody {
  /** Reserves more bytes. Throws `queue_full`, or `too_large` for a body that exceeds the whole limit. */
  readonly grow: (bytes: number) => void;
  /** Sets how many bytes are reserved, if only a part of the body is in memory. Throws the errors of `grow`. */
  readonly hold: (bytes: number) => void;
  /** Called when the request is finished. */
  readonly release: () => void;
}
