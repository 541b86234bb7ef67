/**
 * Replays a trace as real turns: the agent's loop, a store on disk, and the provider's package talking over a socket to
 * a simulator, with the trace's restarts. The price is computed from the bytes on the socket. With `reread`,
 * each turn begins with an added round that reads back a part of the content pruned before.
 */
import { type AgentMemory, recordedRequests } from "@cairn/agent";
import type { TimedRequest } from "@cairn/testkit/cache";
import { ReplayedTrace, type ScriptedReply, type Trace } from "@cairn/testkit/turns";
import type { CountTokens, Lowering, ProviderId } from "@cairn/timeline";
import { PrefixWatch } from "./prefix-watch.ts";
import { type Reread, Rereads } from "./reread.ts";
import { Research } from "./research.ts";
import { socketRequests } from "./socket.ts";

/** The client of each provider's wire form. */
const MODELS: Readonly<Record<ProviderId, string>> = {
  anthropic: "anthropic:claude-sonnet-5",
  bedrock: "bedrock:global.anthropic.claude-sonnet-5",
  openai: "openai:gpt-6-sol",
  automatic: "openai:gpt-4.1",
};

/** Memory settings with which nothing is pruned. */
const UNPRUNED: AgentMemory = { prune: "seed", session: { cache_ttl_seconds: 0 } };

export interface ReplayOptions {
  readonly provider: ProviderId;
  readonly memory: AgentMemory;
  /** How pruned content is read back; null if nothing is pruned. */
  readonly reread: Reread | null;
  readonly countTokens: CountTokens;
  /** How the history is sent (default: `flat`). */
  readonly lowering?: Lowering["name"];
}

export interface Replayed {
  readonly requests: readonly TimedRequest[];
  readonly undeclaredResets: number;
}

export async function replay(trace: Trace, options: ReplayOptions): Promise<Replayed> {
  const { provider, reread, countTokens } = options;
  const memory = { ...options.memory, ...(reread === null ? UNPRUNED : {}) };
  await using replayed = await ReplayedTrace.open(trace, {
    model: MODELS[provider],
    content: new Research(trace),
    countTokens,
    lowering: options.lowering ?? "flat",
    agent: { memory },
  });
  const rereads = reread === null || reread.share === 0 ? null : new Rereads(reread);
  for (const [index, turn] of trace.turns.entries()) {
    const paths = rereads === null ? [] : rereads.take((await replayed.store.load(replayed.key)).state);
    await replayed.play(turn, index, paths.length === 0 ? [] : [readBack(paths)]);
  }
  const requests = socketRequests(replayed.simulator.requests);
  return { requests, undeclaredResets: await countUndeclared(replayed, requests) };
}

function readBack(paths: readonly string[]): ScriptedReply {
  return { text: "Looking at that again.", calls: [{ name: "react__read", input: { paths: [...paths] } }] };
}

/** Counts undeclared changes: compares each request with the one before and the resets that its receipt declares. */
async function countUndeclared({ store, key }: ReplayedTrace, requests: readonly TimedRequest[]): Promise<number> {
  const watch = new PrefixWatch();
  for await (const { n, receipt } of recordedRequests(store, key)) {
    const request = requests[n - 1];
    if (request !== undefined) watch.see(request, receipt.resets);
  }
  return watch.undeclared;
}
