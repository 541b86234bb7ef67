/** A wire request in the form of the cache simulator: one block for each position of the provider's cache. */
import { type CountTokens, hashText, type WireRequest, wirePartTokens, wirePositions } from "@cairn/timeline";
import { type DescribedBlock, hashBlock } from "../src/testing/cache/described-block.ts";
import type { TimedRequest } from "../src/testing/cache/timed-request.ts";

export function describeWire(wire: WireRequest, countTokens: CountTokens): Omit<TimedRequest, "t"> {
  const positions = wirePositions(wire);
  const blocks: DescribedBlock[] = [];
  for (const [at, block] of wire.blocks.entries()) {
    const tokens = wirePartTokens(block.part, countTokens);
    const described = { hash: hashBlock(block), tokens, kind: block.kind };
    const position = positions[at] ?? 0;
    const before = blocks[position];
    blocks[position] = before === undefined ? described : joinBlocks(before, described);
  }
  return { blocks, breakpoints: wire.breakpoints.map(({ i, ttl }) => ({ i: positions[i] ?? 0, ttl })) };
}

function joinBlocks(a: DescribedBlock, b: DescribedBlock): DescribedBlock {
  return { hash: hashText(`${a.hash} ${b.hash}`), tokens: a.tokens + b.tokens, kind: b.kind };
}
