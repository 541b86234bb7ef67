import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { json, outline, ToolBench } from "../../test/tool-bench.ts";
import { memsearchTool } from "./memsearch.ts";

let bench: ToolBench;
beforeEach(async () => {
  bench = await ToolBench.open();
  bench.turnId = "turn_3";
  bench.pastTurns = [
    { turn_id: "turn_1", opened_at: "2026-02-01T10:00:00Z", prompt: "Where to eat?", completion: "At Rosa's." },
    { turn_id: "turn_2", opened_at: "2026-02-05T10:00:00Z", prompt: "And to sleep?", completion: "At the inn." },
    { turn_id: "turn_3", opened_at: "2026-02-09T10:00:00Z", prompt: "What did I ask?", completion: "" },
  ];
  bench.found = [
    {
      conversation: "c",
      turn_id: "turn_2",
      path: "ar:turn_2.user.prompt",
      type: "user.prompt",
      internal: false,
      ts: "2026-02-05T10:00:00.000Z",
      repeats: 0,
      excerpt: "And to sleep?",
    },
    {
      conversation: "d",
      turn_id: "turn_1769990400000_abcdef",
      path: "ar:x.user.prompt",
      type: "user.prompt",
      internal: false,
      ts: "2026-02-02T00:00:00.000Z",
      repeats: 2,
      excerpt: "Sleep",
    },
  ];
});
afterEach(() => bench[Symbol.asyncDispose]());

async function hits(params: object): Promise<Record<string, unknown>[]> {
  const { blocks } = await bench.call(memsearchTool, params);
  return (json(blocks[0]).hits ?? json(blocks[0])) as Record<string, unknown>[];
}

describe("react.memsearch", () => {
  it("leaves one result with excerpts and paths", async () => {
    const { blocks } = await bench.call(memsearchTool, { query: "sleep", scope: "user" });
    expect(outline(blocks)).toEqual(["react.tool.result tc:turn_3.tc_1.result application/json"]);
    expect(json(blocks[0]).hits).toMatchObject([
      { path: "ar:turn_2.user.prompt", turn: 2, ts: "2026-02-05T10:00:00.000Z", conversation: "c" },
      { turn: null, ts: "2026-02-02T00:00:00.000Z", conversation: "d", repeats: 2 },
    ]);
  });

  it("keeps to a token budget, says how much it left out, and groups the hits of a turn", async () => {
    const [first, second] = bench.found;
    if (first === undefined || second === undefined) throw new Error("The bench has two hits.");
    const long = (turn_id: string) => ({ ...first, turn_id, excerpt: "word ".repeat(200) });
    bench.found = [long("turn_1"), second, long("turn_1"), long("turn_2")];
    const { blocks } = await bench.call(memsearchTool, { query: "word", max_tokens: 700 });
    const { hits, left_out } = json(blocks[0]) as unknown as { hits: { turn_id: string }[]; left_out: number };
    expect(hits.map(({ turn_id }) => turn_id)).toEqual(["turn_1", "turn_1", second.turn_id]);
    expect(left_out).toBe(1);
  });

  it("clips the excerpt of the first hit to the budget", async () => {
    const [first] = bench.found;
    if (first === undefined) throw new Error("The bench has two hits.");
    bench.found = [{ ...first, excerpt: "𝒲ord ".repeat(2_000) }, first];
    const { blocks } = await bench.call(memsearchTool, { query: "word", max_tokens: 200 });
    const { hits, left_out } = json(blocks[0]) as unknown as { hits: { excerpt: string }[]; left_out: number };
    expect(hits).toHaveLength(1);
    expect(left_out).toBe(1);
    expect(hits[0]?.excerpt).toMatch(/^𝒲ord .*…$/u);
    const tokens = Math.ceil(JSON.stringify(hits[0]).length / 4);
    expect(tokens).toBeLessThanOrEqual(200);
    expect(tokens).toBeGreaterThan(150);
  });

  it("finds a turn by its number, from either end", async () => {
    for (const params of [{ turn: 1 }, { query: "turn 1" }, { query: " Turn #1 " }, { turn: -2 }])
      expect(await hits(params)).toMatchObject([
        { turn: 1, prompt: "Where to eat?", completion_path: "ar:turn_1.assistant.completion" },
      ]);
    for (const params of [{ query: "last turn" }, { turn: -1 }])
      expect(await hits(params)).toMatchObject([{ turn: 2 }]);
    expect(await hits({ turn: 9 })).toMatchObject({ error: { code: "not_found" } });
    expect(await hits({ turn: 0 })).toMatchObject({ error: { code: "not_found" } });
  });

  it("finds turns by time, and words within a time range", async () => {
    expect(await hits({ since: "2026-02-02", until: "2026-02-05" })).toMatchObject([{ turn: 2 }]);
    expect(await hits({ query: "sleep", scope: "user", until: "2026-02-03" })).toMatchObject([{ conversation: "d" }]);
    expect(await hits({ query: "sleep", since: "2026-03-01" })).toEqual([]);
  });

  it("requires something to search for, and a valid date", async () => {
    expect(await hits({})).toMatchObject({ error: { code: "bad_query" } });
    const { blocks } = await bench.call(memsearchTool, { since: "yesterday" });
    expect(json(blocks.at(-1)).error).toMatchObject({
      code: "bad_params",
      message: expect.stringContaining("since: Invalid input: expected a date"),
    });
  });
});
