/** Tests the built-in agent with content of any size, at a provider that refuses requests that do not fit. */
import { join } from "node:path";
import { checkAgentFits, defineTool, openStoreWorkspace } from "@cairn/agent";
import type { Step } from "@cairn/testkit/models";
import { TurnBench } from "@cairn/testkit/turns";
import { loadTokenizer } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readSettings } from "../settings/settings.ts";
import { openAgent } from "./open-agent.ts";

const countTokens = await loadTokenizer();
const settings = readSettings({ name: "cairn.config.json", content: {} }, {}, "/home/ada");

const dump = defineTool({
  id: "shop.dump",
  description: "Dumps the table of orders.",
  params: z.object({}),
  run: async () => ({ ok: true, error: null, ret: rows(10_000_000) }),
});

const rows = (bytes: number) =>
  Array.from({ length: Math.ceil(bytes / 60) }, (_, at) => `order ${at + 1}: ${"tea and cake, ".repeat(3)}`).join("\n");

const ANSWER: Step = { reply: { text: "Tea." }, times: Number.POSITIVE_INFINITY };

async function play(contextTokens: number, message: string, steps: readonly Step[], files: readonly string[] = []) {
  await using opened = await openAgent(settings, {}, null);
  const { instructions, tools = [] } = opened.agent;
  await using bench = await TurnBench.open({
    agent: { instructions, tools: [...tools, dump] },
    contextTokens,
    maxOutputTokens: 32_000,
    isStrict: true,
    countTokens,
  });
  const workspace = await openStoreWorkspace(bench.store, bench.key, join(bench.folder, "out"));
  for (const file of files) await workspace.write(file, rows(300_000));
  await bench.say(message);
  bench.simulator.script([...steps, ANSWER]);
  const outcome = await bench.run({ workspace });
  return { outcome, refused: bench.simulator.requests.filter(({ status }) => status !== 200).length };
}

const ANSWERED = { outcome: { status: "ended", end: { exit: "complete" } }, refused: 0 };

describe.each([32_768, 200_000])("the built-in agent in a window of %i tokens", (contextTokens) => {
  it("takes a result of 10 MB", async () => {
    const call = { id: "toolu_1", name: "shop__dump", input: {} };
    expect(await play(contextTokens, "What was ordered?", [{ reply: { calls: [call] } }])).toMatchObject(ANSWERED);
  });

  it("takes thirty-two reads in one decision", async () => {
    const files = Array.from({ length: 32 }, (_, at) => `turn_0/files/report-${at}.txt`);
    const calls = files.map((file, at) => ({
      id: `toolu_${at}`,
      name: "react__read",
      input: { paths: [`fi:${file.replace("/", ".")}`] },
    }));
    expect(await play(contextTokens, "Read all.", [{ reply: { calls } }], files)).toMatchObject(ANSWERED);
  });

  it("takes a message of 5 MB", async () => {
    expect(await play(contextTokens, `Sum this up.\n${rows(5_000_000)}`, [])).toMatchObject(ANSWERED);
  });
});

describe("an agent whose tools, instructions and answer leave too little of the window", () => {
  it("is rejected before its first request, with what to do", async () => {
    await using opened = await openAgent(settings, {}, null);
    const agent = { ...opened.agent, model: { ...opened.agent.model, contextTokens: 6_000 } };
    expect(() => checkAgentFits(agent, countTokens)).toThrow(
      expect.objectContaining({
        code: "context_too_small",
        message: expect.stringContaining("Give the agent fewer tools"),
      }),
    );
    const { outcome } = await play(6_000, "Hello", []);
    expect(outcome).toMatchObject({ end: { exit: "error", error: { code: "context_too_small" } } });
  });
});
