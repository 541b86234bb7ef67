import { join } from "node:path";
import { defineAgent, resolveModel } from "@cairn/agent";
import { ModelSimulator, simulatorEnv } from "@cairn/testkit/models";
import { tool } from "cairn-agent";
import { expect, it } from "vitest";
import { z } from "zod";
import { ServerBench } from "../test/server-bench.ts";
import { serveSimulated } from "../test/simulated-server.ts";

it("a server whose disk has less room than the reserve is not ready, and says so", async () => {
  await using bench = await ServerBench.open({ settings: { CAIRN_RESERVE_MB: "1000000000" } });
  const answer = await bench.fetch("/readyz");
  expect([answer.status, (await answer.json()).error.code]).toEqual([503, "no_room"]);
  expect((await bench.fetch("/healthz")).status).toBe(200);
});

it("a server whose disk has less room than the reserve refuses writes, and reads and deletes as before", async () => {
  await using bench = await ServerBench.open();
  const id = await bench.converse();
  await bench.say(id, "Hello");
  const exported = await (await bench.fetch(`/api/conversations/${id}/export`)).text();
  await bench.stop();
  await using full = await ServerBench.open({
    settings: { CAIRN_DATA_DIR: join(bench.folder, ".cairn"), CAIRN_RESERVE_MB: "1000000000" },
  });
  const refused = [
    await full.post("/api/conversations"),
    await full.post(`/api/conversations/${id}/turns`, { message: "More" }),
    await full.post("/api/chat", { id, messages: [{ id: "m", role: "user", parts: [{ type: "text", text: "Hi" }] }] }),
    await full.post(`/api/conversations/${id}/fork`, { at: 1 }),
    await full.post(`/api/conversations/${id}/orders`, { text: "Always answer in verse." }),
    JSON.parse(
      await (
        await full.fetch("/api/import", {
          method: "POST",
          body: exported,
          headers: { "content-type": "application/x-ndjson" },
        })
      ).text(),
    ),
  ];
  for (const { error } of refused) expect(error).toMatchObject({ code: "full", details: { limit: "disk" } });
  const answer = await full.fetch("/api/conversations", {
    method: "POST",
    body: "{}",
    headers: { "content-type": "application/json" },
  });
  expect(answer.status).toBe(507);
  expect((await full.get("/api/conversations")).conversations).toHaveLength(1);
  expect((await full.fetch(`/api/conversations/${id}`, { method: "DELETE" })).status).toBe(204);
});

it("a server whose disk has less room than the reserve refuses outputs of the client's tools", async () => {
  const simulator = await ModelSimulator.start({ countTokens: (text) => text.length });
  simulator.script([{ reply: { calls: [{ name: "page__place", input: {} }] } }]);
  const model = await resolveModel("anthropic:claude-sonnet-5", simulatorEnv(simulator.baseUrl));
  const place = tool({ name: "page.place", description: "Where the user is.", input: z.object({}) });
  const agents = [defineAgent({ name: "guide", instructions: "Help.", model, tools: [place] })];
  await using at = await serveSimulated(simulator, { agents });
  const id = await at.bench.converse();
  await at.bench.post(`/api/conversations/${id}/turns`, { message: "Where am I?" });
  const frames = await at.bench.until(id, ({ event }) => event === "approval.requested");
  const { call_id: call, hash } = frames.at(-1)?.data.body ?? {};
  await at.bench.stop();
  await using full = await ServerBench.open({
    agents,
    settings: { CAIRN_DATA_DIR: join(at.bench.folder, ".cairn"), CAIRN_RESERVE_MB: "1000000000" },
  });
  const part = { type: "tool-page.place", toolCallId: call, state: "output-available", input: {}, output: "Rome" };
  const messages = [
    { id: "m1", role: "user", parts: [{ type: "text", text: "Where am I?" }] },
    { id: "m2", role: "assistant", parts: [part] },
  ];
  const refused = [
    await full.post(`/api/conversations/${id}/approvals/${call}`, { approve: true, hash, output: "Rome" }),
    await full.post("/api/chat", { id, messages }),
  ];
  for (const { error } of refused) expect(error).toMatchObject({ code: "full", details: { limit: "disk" } });
});
