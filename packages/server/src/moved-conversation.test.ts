/** Tests a conversation that was begun on another server. */
import { createHash } from "node:crypto";
import { defineAgent, offlineModel, reactTools } from "@cairn/agent";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ServerBench } from "../test/server-bench.ts";
import { Processor } from "./shares/processor.ts";

describe("a conversation whose agent is not here", () => {
  it("is reported before a message is accepted, and continues with an agent that is named", async () => {
    const agentOf = (name: string) =>
      defineAgent({ name, instructions: "You help.", model: offlineModel(), tools: reactTools() });
    await using first = await ServerBench.open({ agents: [agentOf("old")] });
    await using second = await ServerBench.open({ agents: [agentOf("new")] });
    const there = await first.converse();
    await first.say(there, "Hello");
    const file = await (await first.fetch(`/api/conversations/${there}/export`)).text();
    const init = { method: "POST", headers: { "content-type": "application/x-ndjson" }, body: file };
    const { conversation_id: id } = JSON.parse(await (await second.fetch("/api/import", init)).text());
    const refused = await second.post(`/api/conversations/${id}/turns`, { message: "Hello again" });
    expect(refused).toMatchObject({ error: { code: "bad_agent", message: expect.stringContaining("new") } });
    expect((await second.get(`/api/conversations/${id}`)).pending).toEqual([]);
    const { turns } = await second.say(id, "Hello again", { agent: "new" });
    expect(turns).toMatchObject([{ exit: "complete" }, { exit: "complete" }]);
  });
});

describe("an imported file", () => {
  it("is refused for a line of more than 8 MB, and each piece of a shorter line waits for the processor", async () => {
    await using bench = await ServerBench.open({});
    const file = await (await bench.fetch(`/api/conversations/${await bench.converse()}/export`)).text();
    const headers = { "content-type": "application/x-ndjson" };
    /** Fills the first line with spaces, which JSON allows. */
    const send = (bytes: number) => {
      const [first = "", ...rest] = file.trimEnd().split("\n").slice(0, -1);
      const content = [first.padEnd(bytes), ...rest, ""].join("\n");
      const sha256 = createHash("sha256").update(content).digest("hex");
      return bench.fetch("/api/import", { method: "POST", headers, body: `${content}${JSON.stringify({ sha256 })}\n` });
    };
    const refused = await send(8_000_001);
    expect([refused.status, (await refused.json()).error]).toMatchObject([
      413,
      { code: "too_large", details: { line: 1, limit: 8_000_000 } },
    ]);
    const enter = vi.spyOn(Processor.prototype, "enter");
    onTestFinished(() => enter.mockRestore());
    expect((await send(8_000_000)).status).toBe(201);
    expect(enter.mock.calls.length).toBeGreaterThan(50);
  });
});
