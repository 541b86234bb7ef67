/** A wire request as the cache simulator takes it: one block for each position of the provider's cache. */
import {
  type CountTokens,
  type DescribedBlock,
  type DescribedRequest,
  describeBlock,
  hashText,
  positionsOf,
  type WireRequest,
} from "@cairn/timeline";

export function describeWire(wire: WireRequest, countTokens: CountTokens): DescribedRequest {
  const positions = positionsOf(wire);
  const blocks: DescribedBlock[] = [];
  for (const [at, block] of wire.blocks.entries()) {
    const described = describeBlock(block, countTokens);
    const position = positions[at] ?? 0;
    const before = blocks[position];
    blocks[position] = before === undefined ? described : joinBlocks(before, described);
  }
  return { blocks, breakpoints: wire.breakpoints.map(({ i, ttl }) => ({ i: positions[i] ?? 0, ttl })) };
}

function joinBlocks(a: DescribedBlock, b: DescribedBlock): DescribedBlock {
  return { hash: hashText(`${a.hash} ${b.hash}`), tokens: a.tokens + b.tokens, kind: b.kind };
}
