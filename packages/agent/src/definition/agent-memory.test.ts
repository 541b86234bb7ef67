/** Tests that the memory settings of an agent take effect in its requests and tools. */
import { callOf, playTurn, TurnBench } from "@cairn/testkit/turns";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { reactTools } from "../react/react-tools.ts";
import { defineTool } from "../tool/tool.ts";
import type { AgentMemory } from "./agent-memory.ts";

const find = defineTool({
  id: "site.find",
  description: "Finds a page.",
  params: z.object({ words: z.number() }),
  run:
    async ({ words }) =>
    (scribe) => {
      scribe.mergeSources([{ source_type: "web", url: "https://a.org/1", title: "A" }]);
      scribe.result("word ".repeat(words), "text/plain");
    },
});

const open = (memory: AgentMemory) => TurnBench.open({ agent: { tools: [...reactTools(), find], memory } });

/** The blocks of the last request, as Anthropic receives them. */
function lastBlocks({ simulator }: TurnBench): readonly { text: string; cache_control?: { ttl?: string } }[] {
  const body = simulator.requests.at(-1)?.body as { messages: { content: never[] }[] };
  return body.messages.flatMap(({ content }) => content);
}

describe("an agent's memory", () => {
  it("`tailOrder` sets the order of the parts at the end of a request", async () => {
    for (const [memory, last] of [
      [{}, "[ANNOUNCE]"],
      [{ tailOrder: "announce_first" }, "SOURCES POOL"],
    ] as const) {
      await using bench = await open(memory);
      await playTurn(bench, [callOf("site.find", { words: 5 })]);
      expect(lastBlocks(bench).at(-1)?.text.startsWith(last)).toBe(true);
    }
  });

  it("`ttl` sets how long the provider's cache is asked to keep the conversation", async () => {
    for (const [ttl, expected] of [
      ["1h", ["1h", "1h"]],
      ["5m", [undefined, undefined]],
    ] as const) {
      await using bench = await open({ ttl });
      await playTurn(bench, [callOf("site.find", { words: 5 })]);
      const marked = lastBlocks(bench).filter(({ cache_control }) => cache_control !== undefined);
      expect(marked.map(({ cache_control }) => (cache_control?.ttl === "5m" ? undefined : cache_control?.ttl))).toEqual(
        expected,
      );
    }
  });

  it("`strategy` decides where the checkpoints are, and `cache` how many rounds come after the middle checkpoint", async () => {
    const rounds = [1, 2, 3, 4].map((words) => callOf("site.find", { words }));
    const marks = async (memory: AgentMemory) => {
      await using bench = await open(memory);
      await playTurn(bench, rounds);
      return lastBlocks(bench).flatMap(({ cache_control }, at) => (cache_control === undefined ? [] : [at]));
    };
    const seed = await marks({ strategy: "seed" });
    const near = await marks({ strategy: "seed", cache: { cache_point_offset_rounds: 1 } });
    const none = await marks({ strategy: "seed", cache: { cache_point_min_rounds: 9 } });
    expect(near).not.toEqual(seed);
    expect(none).toHaveLength(seed.length - 1);
    expect(await marks({})).not.toEqual(seed);
  });

  it("`cache` limits which blocks can be hidden", async () => {
    const hide = { path: "tc:{turn}.{call}.result", replacement_text: "seen" };
    const codes = async (memory: AgentMemory) => {
      await using bench = await open(memory);
      const played = await playTurn(bench, [
        callOf("site.find", { words: 50 }),
        callOf("site.find", { words: 60 }),
        callOf("react.hide", hide),
      ]);
      const text = JSON.stringify(played.blocks);
      return ["blocks_hidden", "hide_too_old", "hide_before_cache", "not_found"].filter((code) => text.includes(code));
    };
    expect(await codes({})).toEqual(["blocks_hidden"]);
    expect(await codes({ cache: { editable_tail_size_in_tokens: 5 } })).toEqual(["hide_too_old"]);
    expect(await codes({ cache: { cache_point_offset_rounds: 0 } })).toEqual(["hide_before_cache"]);
  });
});
