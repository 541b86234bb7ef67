/**
 * Positions of a provider's cache: how its lookback counts wire blocks. On the Claude API consecutive calls are one
 * position, and so are consecutive results; a marker ends the position. In other APIs every wire block is a position.
 */
import { PROVIDERS } from "../providers.ts";
import type { WireRequest } from "./wire-request.ts";

/** Numbers the positions of the wire blocks, ascending. */
export function wirePositions({ provider, blocks, breakpoints }: WireRequest): number[] {
  const { lookup } = PROVIDERS[provider];
  const joins = lookup.kind === "lookback" && lookup.joinsRuns;
  const marked = new Set(breakpoints.map(({ i }) => i));
  let position = -1;
  return blocks.map(({ part }, at) => {
    const isRun = part.type === "call" || part.type === "result";
    const continues = joins && isRun && blocks[at - 1]?.part.type === part.type && !marked.has(at - 1);
    if (!continues) position++;
    return position;
  });
}
