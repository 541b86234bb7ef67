/**
 * Configuration of the processes in cluster tests: an agent that calls a tool with an external effect, then answers.
 * Each run of the tool writes its call's id to a file, so that a call that ran twice is detected, and stores another
 * file. Certain messages make the agent call a tool that needs approval, or end its process.
 */
import { appendFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { defineAgent, defineTool, type Model } from "@cairn/agent";
import { z } from "zod";

const effects = process.env.CAIRN_TEST_EFFECTS ?? "effects.log";
const PIECES = 6;
const PIECE_MS = Number(process.env.CAIRN_TEST_PIECE_MS ?? 15);

/** Calls the tool once for each message, and answers when it has an outcome. */
const model: Model = {
  id: "scripted",
  provider: "automatic",
  contextTokens: 100_000,
  maxOutputTokens: 4_000,
  async *stream({ view }, { signal }) {
    const said = [...view].map((message) => JSON.stringify(message));
    const asked = said.slice(0, view.stableLength).findLastIndex((message) => message.includes("Please act"));
    if (said.some((message) => message.includes("Please die"))) process.kill(process.pid, "SIGKILL");
    // The call is never repeated.
    const tool = said[asked]?.includes("ask first") === true ? "test.agreed" : "test.effect";
    const isDone = said.slice(asked + 1).some((message) => message.includes(tool));
    if (isDone)
      for (let piece = 1; piece <= PIECES; piece++) {
        await wait(PIECE_MS, undefined, { signal });
        yield { type: "text", text: `piece-${piece} ` };
      }
    else {
      yield { type: "call", index: 0, name: tool };
      yield { type: "params", index: 0, text: "{}" };
    }
    const usage = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0 };
    yield { type: "finish", reason: isDone ? "stop" : "calls", usage };
  },
};

const effect = defineTool({
  id: "test.effect",
  description: "Does something that cannot be undone.",
  params: z.object({}),
  run: async (_, { callId, turnId, workspace }) => {
    await appendFile(effects, `${callId}\n`);
    await workspace.write(`${turnId}/files/effect.txt`, callId);
    await workspace.host(`${turnId}/files/effect.txt`);
    return { ok: true, ret: "effect-done" };
  },
});

const agreed = defineTool({
  id: "test.agreed",
  description: "Does what a person agreed to.",
  params: z.object({}),
  approval: "always",
  run: async () => ({ ok: true, ret: "agreed-done" }),
});

export default defineAgent({ name: "scripted", instructions: "Act, then answer.", model, tools: [effect, agreed] });
