import { join } from "node:path";
import { expect, it } from "vitest";
import { ServerBench } from "../test/server-bench.ts";

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
