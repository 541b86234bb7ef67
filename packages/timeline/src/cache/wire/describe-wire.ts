/**
 * A wire block as caches see it: a key of its exact bytes, its tokens and its kind. Receipts keep these keys, and prices
 * are calculated from them.
 */

import type { CountTokens } from "../../base/ports.ts";
import { pieceTokens } from "../../block/reasoning.ts";
import { binaryTokens } from "../../tokens/estimate.ts";
import { hashText } from "../hash.ts";
import type { Breakpoint, WireBlock, WireKind, WirePart } from "./wire-request.ts";

export interface DescribedBlock {
  readonly hash: string;
  readonly tokens: number;
  readonly kind: WireKind;
}

export interface DescribedRequest {
  readonly blocks: readonly DescribedBlock[];
  readonly breakpoints: readonly Breakpoint[];
}

export function describeBlock(block: WireBlock, countTokens: CountTokens): DescribedBlock {
  return { hash: hashText(wireText(block)), tokens: partTokens(block.part, countTokens), kind: block.kind };
}

/** Two wire blocks are equal to a cache if this text is equal: their bytes, and whether a message begins with them. */
function wireText({ content, startsMessage }: WireBlock): string {
  return `${startsMessage ? "message " : ""}${JSON.stringify(content)}`;
}

function partTokens(part: WirePart, countTokens: CountTokens): number {
  switch (part.type) {
    case "text":
      return countTokens(part.text);
    case "reasoning":
      return pieceTokens(part.text, part.sealed, countTokens);
    case "call":
      return countTokens(part.name) + countTokens(JSON.stringify(part.input));
    case "result":
      return part.content.reduce((sum, each) => sum + partTokens(each, countTokens), 0);
  }
  return binaryTokens({ type: part.type, mime: part.media_type, base64: part.data });
}
