/**
 * A wire request as caches see it: for each wire block a key of its exact bytes, its tokens and its kind. Receipts keep
 * these keys, and prices are calculated from them.
 */
import type { CountTokens } from "../../base/ports.ts";
import { binaryTokens } from "../../tokens/estimate.ts";
import { hashText } from "../hash.ts";
import type { Breakpoint, WireBlock, WireKind, WirePart, WireRequest } from "./wire-request.ts";

export interface DescribedBlock {
  readonly hash: string;
  readonly tokens: number;
  readonly kind: WireKind;
}

export interface DescribedRequest {
  readonly blocks: readonly DescribedBlock[];
  readonly breakpoints: readonly Breakpoint[];
}

export function describeWire(wire: WireRequest, countTokens: CountTokens): DescribedRequest {
  return { blocks: wire.blocks.map((block) => describeBlock(block, countTokens)), breakpoints: wire.breakpoints };
}

export function describeBlock(block: WireBlock, countTokens: CountTokens): DescribedBlock {
  return { hash: hashText(wireText(block)), tokens: partTokens(block.part, countTokens), kind: block.kind };
}

/** What makes two wire blocks the same to a cache: their bytes, and whether a message begins with them. */
function wireText({ content, startsMessage }: WireBlock): string {
  return `${startsMessage ? "message " : ""}${JSON.stringify(content)}`;
}

function partTokens(part: WirePart, countTokens: CountTokens): number {
  if (part.type === "text") return countTokens(part.text);
  return binaryTokens({ type: part.type, mime: part.media_type, base64: part.data });
}
