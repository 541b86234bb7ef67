/** Tests a disk that becomes full while a turn runs. The test mounts a small disk. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineAgent, defineTool, type Model } from "@cairn/agent";
import { mountSmallDisk, whyNoMounts } from "@cairn/testkit/store";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ServerBench } from "../../test/server-bench.ts";

const reason = whyNoMounts();
const title = "a disk that becomes full while a turn runs";

/** Calls the tool once, then answers. */
const model: Model = {
  id: "caller",
  provider: "automatic",
  contextTokens: 100_000,
  maxOutputTokens: 4_000,
  async *stream({ view }) {
    const isDone = [...view].some((message) => message.type === "text" && message.text.includes("[TOOL RESULT"));
    if (isDone) yield { type: "text", text: "Done." };
    else {
      yield { type: "call", index: 0, name: "test.fill" };
      yield { type: "params", index: 0, text: "{}" };
    }
    const usage = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0 };
    yield { type: "finish", reason: isDone ? "stop" : "calls", usage };
  },
};

describe.skipIf(reason !== null)(reason === null ? title : `${title} (${reason})`, () => {
  it("leaves the turn open, reports this to every client, and the turn ends once when there is room again", async () => {
    const disk = mountSmallDisk("6m");
    const filler = join(disk.folder, "filler");
    let ran = 0;
    const fill = defineTool({
      id: "test.fill",
      description: "Fills the disk.",
      params: z.object({}),
      run: async () => {
        ran++;
        // The last write fails, because all blocks of the disk are then in use.
        expect(() => writeFileSync(filler, Buffer.alloc(8_000_000))).toThrow("ENOSPC");
        return { ok: true, ret: "x".repeat(500_000) };
      },
    });
    try {
      await using bench = await ServerBench.open({
        agents: [defineAgent({ name: "filler", instructions: "Fill.", model, tools: [fill] })],
        settings: { CAIRN_DATA_DIR: join(disk.folder, "data") },
        server: { reserveMb: 1 },
      });
      const id = await bench.converse();
      await bench.post(`/api/conversations/${id}/turns`, { message: "Go" });
      await expect.poll(async () => (await bench.fetch("/readyz")).status).toBe(503);
      // The result of the tool could not be stored, so the turn runs again.
      await expect.poll(() => bench.log.join("")).toMatch(/"(?:code|error)":"[^"]*(?:full|disk)/i);
      expect((await bench.get(`/api/conversations/${id}`)).turns).toMatchObject([{ closed_at: null }]);
      const refused = await bench.fetch(`/api/conversations/${id}/turns`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ message: "More" }),
      });
      expect(refused.status).toBe(507);
      rmSync(filler);
      await bench.until(id, ({ event }) => event === "turn.closed");
      const { turns } = await bench.get(`/api/conversations/${id}`);
      expect(turns).toMatchObject([{ exit: "complete" }]);
      expect(ran).toBe(1);
      expect((await bench.fetch("/readyz")).status).toBe(200);
    } finally {
      disk.unmount();
    }
  });
});
