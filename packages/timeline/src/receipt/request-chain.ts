/**
 * A chain of receipts, rebuilt: each link knows the hashes of one whole request.
 *
 * Links share one list as long as requests only add to it, so the cost of each link depends only on what its request
 * adds. A link sees the first `length` hashes of the list, which never change.
 */
import { CairnError } from "../base/error.ts";
import type { BlobRef } from "../block/blob.ts";
import type { DeclaredReset } from "../cache/reset.ts";
import type { Receipt, ToolHash } from "./receipt.ts";
import type { SentRequest } from "./sent-request.ts";

export class RequestChain implements SentRequest {
  readonly receipt: Receipt;
  readonly tools: readonly ToolHash[];
  readonly #hashes: string[];

  private constructor(receipt: Receipt, tools: readonly ToolHash[], hashes: string[]) {
    this.receipt = receipt;
    this.tools = tools;
    this.#hashes = hashes;
  }

  /** The request of `receipt`, which follows `chain` (null before the first). Throws `corrupt` if they do not match. */
  static apply(chain: RequestChain | null, receipt: Receipt): RequestChain {
    const { previous, keep, added, stable } = receipt;
    const base = previous === null ? null : chain;
    if (previous !== (base?.n ?? null))
      throw misfit(
        receipt,
        `it continues request ${previous ?? "none"}, but the receipt before it is of request ${chain?.n ?? "none"}`,
      );
    if (keep > (base?.length ?? 0))
      throw misfit(receipt, `it keeps ${keep} blocks, but the request before has ${base?.length ?? 0}`);
    if (stable !== keep + added.length)
      throw misfit(receipt, `it keeps ${keep} blocks and adds ${added.length}, but states ${stable}`);
    const tools = receipt.tool_hashes ?? (base?.receipt.tools === receipt.tools ? base.tools : undefined);
    if (tools === undefined) throw misfit(receipt, "the request changes the tools, but the receipt does not list them");
    const hashes = base === null ? [] : base.#prefix(keep);
    for (const hash of added) hashes.push(hash);
    return new RequestChain(receipt, tools, hashes);
  }

  /** A list with exactly the first `count` hashes: the shared list if no other link has extended it. */
  #prefix(count: number): string[] {
    return count === this.#hashes.length ? this.#hashes : this.#hashes.slice(0, count);
  }

  get n(): number {
    return this.receipt.n;
  }

  get length(): number {
    return this.receipt.stable;
  }

  hashAt(index: number): string | undefined {
    return index < this.length ? this.#hashes[index] : undefined;
  }

  hashes(): string[] {
    return this.#hashes.slice(0, this.length);
  }

  get system(): BlobRef {
    return this.receipt.system;
  }

  get resets(): readonly DeclaredReset[] {
    return this.receipt.resets;
  }
}

/** Rebuilds the request of a receipt from the request before it. */
export function applyReceipt(chain: RequestChain | null, receipt: Receipt): RequestChain {
  return RequestChain.apply(chain, receipt);
}

function misfit({ n, previous }: Receipt, why: string): CairnError {
  return new CairnError(
    "corrupt",
    `The receipt of request ${n} does not continue the receipts before it: ${why}. Receipts are missing, repeated or out of order. Run cairn doctor to check the store.`,
    { n, previous },
  );
}
