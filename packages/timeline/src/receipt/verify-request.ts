/**
 * Checking a past request: the state folded up to its receipt, rendered again, must give the hashes the receipt chain
 * recorded. If the hashes differ, the request may have been rendered by rules that this program does not have; the
 * result says whether this is the case.
 */
import { hashMessage } from "../cache/hash.ts";
import type { RenderedView } from "../render/rendered-view.ts";
import { isKnownRenderer } from "../render/version.ts";
import type { RequestChain } from "./request-chain.ts";

export interface RequestCheck {
  readonly same: boolean;
  /** Index of the first stable message block that differs, or that only one of the two has; null when all agree. */
  readonly firstDifference: number | null;
  readonly recorded: string | null;
  /** The hash that was found at the index. */
  readonly found: string | null;
  /** Whether the request was rendered by rules that this program does not have, which would explain a difference. */
  readonly rendererChanged: boolean;
}

/** `view` must be rendered from the state at the time of the request, by the rules of its receipt. */
export function verifyRequest(view: RenderedView, chain: RequestChain): RequestCheck {
  const rendererChanged = !isKnownRenderer(chain.receipt.renderer_version);
  const most = Math.max(view.stableLength, chain.length);
  for (let index = 0; index < most; index++) {
    const message = index < view.stableLength ? view.at(index) : undefined;
    const found = message === undefined ? null : hashMessage(message);
    const recorded = chain.hashAt(index) ?? null;
    if (found !== recorded) return { same: false, firstDifference: index, recorded, found, rendererChanged };
  }
  return { same: true, firstDifference: null, recorded: null, found: null, rendererChanged };
}
