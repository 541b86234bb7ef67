/** A conversation that was begun on another server. */
import { defineAgent, offlineModel, reactTools } from "@cairn/agent";
import { describe, expect, it } from "vitest";
import { ServerBench } from "../test/server-bench.ts";

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
