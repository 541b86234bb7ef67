/**
 * The minimum cost of a list of requests with caching. The tail is billed in full; every other token is written once
 * and then read. Blocks that the previous request did not have are written. After a pause that exceeds the lifetime of
 * a part (tools and system text, or timeline), this part is written again.
 */
import type { Breakpoint, CacheTtl, ProviderRules } from "@cairn/timeline";
import type { DescribedBlock } from "./described-block.ts";
import type { TimedRequest } from "./timed-request.ts";

export function boundOf(
  request: TimedRequest,
  previous: TimedRequest | null,
  breakpoints: readonly Breakpoint[],
  rules: ProviderRules,
): number {
  const { blocks, t } = request;
  const timeline = longestLife(breakpoints, blocks, (kind) => kind === "stable");
  const prefix = longestLife(breakpoints, blocks, (kind) => kind !== "stable") ?? timeline;
  const pause = previous === null ? Number.POSITIVE_INFINITY : t - previous.t;
  const shared = previous === null ? 0 : sharedLength(blocks, previous.blocks);
  let bound = 0;
  for (const [at, { kind, tokens }] of blocks.entries()) {
    const ttl = (kind === "stable" ? timeline : prefix) ?? "5m";
    const warm = at < shared && pause <= rules.ttlSeconds[ttl];
    bound += tokens * (kind === "tail" ? 1 : warm ? rules.read : rules.write[ttl]);
  }
  return bound;
}

function longestLife(
  breakpoints: readonly Breakpoint[],
  blocks: readonly DescribedBlock[],
  test: (kind: DescribedBlock["kind"]) => boolean,
): CacheTtl | undefined {
  const lives = breakpoints.filter(({ i }) => test(blocks[i]?.kind ?? "stable")).map(({ ttl }) => ttl);
  return lives.includes("1h") ? "1h" : lives[0];
}

/** Number of leading blocks that the previous request also had, without its tail. */
function sharedLength(blocks: readonly DescribedBlock[], previous: readonly DescribedBlock[]): number {
  let at = 0;
  while (at < blocks.length && blocks[at]?.kind !== "tail" && blocks[at]?.hash === previous[at]?.hash) at++;
  return at;
}
