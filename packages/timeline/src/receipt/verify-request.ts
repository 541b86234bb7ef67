/**
 * Checking a past request: the state folded up to its receipt, rendered again, must give the hashes the receipt chain
 * recorded. Where it does not, the renderer may have changed since; the result says whether it has.
 */
import { hashMessage } from "../cache/hash.ts";
import type { RenderedView } from "../render/rendered-view.ts";
import { RENDERER_VERSION } from "../render/version.ts";
import type { RequestChain } from "./request-chain.ts";

export interface RequestCheck {
  readonly same: boolean;
  /** Index of the first stable message block that differs, or that only one of the two has; null when all agree. */
  readonly firstDifference: number | null;
  /** The hash recorded there. */
  readonly recorded: string | null;
  /** The hash found there. */
  readonly found: string | null;
  /** Whether another version of the renderer made the request, which would explain a difference. */
  readonly rendererChanged: boolean;
}

/** `view`: rendered from the state as it was when the request was made. */
export function verifyRequest(view: RenderedView, chain: RequestChain): RequestCheck {
  const rendererChanged = chain.receipt.renderer_version !== RENDERER_VERSION;
  const most = Math.max(view.stableLength, chain.length);
  for (let index = 0; index < most; index++) {
    const message = index < view.stableLength ? view.at(index) : undefined;
    const found = message === undefined ? null : hashMessage(message);
    const recorded = chain.hashAt(index) ?? null;
    if (found !== recorded) return { same: false, firstDifference: index, recorded, found, rendererChanged };
  }
  return { same: true, firstDifference: null, recorded: null, found: null, rendererChanged };
}
