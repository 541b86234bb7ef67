/**
 * Makes receipts. If the render of the previous request is given and the new render continues it, both begin with the
 * same blocks, and the cost of a receipt depends only on what the request adds. Otherwise hashes are compared from the
 * first block on.
 */
import type { BlobRef } from "../block/blob.ts";
import { hashMessage, hashText } from "../cache/hash.ts";
import type { DeclaredReset } from "../cache/reset.ts";
import type { RenderedView } from "../render/rendered-view.ts";
import { RENDERER_VERSION } from "../render/version.ts";
import type { Receipt, ReportedUsage, RequestTokens } from "./receipt.ts";
import type { RequestChain } from "./request-chain.ts";
import { type SentTool, toolText } from "./sent-request.ts";

/** The parts and facts of a request besides the rendered view. */
export interface RequestFacts {
  /** The tools in the order in which they were sent. */
  readonly tools: readonly SentTool[];
  readonly system: string;
  /** Start of the request, in epoch seconds. */
  readonly startedAt: number;
  /** Changes of the prefix that were declared since the previous request. */
  readonly resets: readonly DeclaredReset[];
  readonly tokens: RequestTokens;
  readonly usage?: ReportedUsage;
  /** Cost of the request in US dollars. */
  readonly cost?: number;
  /** The render of the previous request, if this process made it. */
  readonly previousView?: RenderedView;
  /** Number of the request when the chain is not available (default: 1). */
  readonly n?: number;
}

/** The receipt of the request after `previous`, which is null for the first request or without a chain. */
export function makeReceipt(view: RenderedView, request: RequestFacts, previous: RequestChain | null): Receipt {
  const { startedAt, resets, tokens, usage, cost } = request;
  const keep = previous === null ? 0 : keptBlocks(view, previous, request.previousView);
  const texts = receiptTexts(view, request);
  const tools = blobRef(texts.tools);
  const sameTools = previous !== null && previous.receipt.tools === tools;
  return {
    n: previous === null ? (request.n ?? 1) : previous.n + 1,
    previous: previous === null ? null : previous.n,
    keep,
    added: hashesFrom(view, keep),
    stable: view.stableLength,
    checkpoints: view.checkpoints,
    tools,
    ...(sameTools ? {} : { tool_hashes: request.tools.map(hashTool) }),
    system: blobRef(texts.system),
    tail: blobRef(texts.tail),
    tokens,
    ...(usage === undefined ? {} : { usage }),
    ...(cost === undefined ? {} : { cost }),
    resets,
    renderer_version: RENDERER_VERSION,
    started_at: startedAt,
  };
}

/** The contents of the blobs that a receipt refers to, by field. A store must keep them with the receipt. */
export function receiptTexts(
  view: RenderedView,
  request: Pick<RequestFacts, "tools" | "system">,
): Record<"tools" | "system" | "tail", string> {
  return {
    tools: `[${request.tools.map(toolText).join(",")}]`,
    system: request.system,
    tail: JSON.stringify(view.tail),
  };
}

function hashTool(tool: SentTool): { readonly name: string; readonly hash: string } {
  return { name: tool.name, hash: hashText(toolText(tool)) };
}

function blobRef(text: string): BlobRef {
  return `sha256:${hashText(text)}`;
}

/** Number of kept blocks. Compares every hash to find undeclared changes, unless both renders share one list. */
function keptBlocks(view: RenderedView, previous: RequestChain, previousView: RenderedView | undefined): number {
  if (previousView?.stableLength === previous.length && view.continues(previousView)) return previous.length;
  const most = Math.min(previous.length, view.stableLength);
  let same = 0;
  while (same < most && hashOf(view, same) === previous.hashAt(same)) same++;
  return same;
}

function hashesFrom(view: RenderedView, start: number): string[] {
  const hashes: string[] = [];
  for (let index = start; index < view.stableLength; index++) hashes.push(hashOf(view, index) ?? "");
  return hashes;
}

function hashOf(view: RenderedView, index: number): string | undefined {
  const message = view.stableAt(index);
  return message === undefined ? undefined : hashMessage(message);
}
