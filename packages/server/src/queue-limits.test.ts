import { describe, expect, it } from "vitest";
import { simulated } from "../test/simulated-agent.ts";

describe("the queue", () => {
  it("accepts a limited number, says when to retry, and runs what it accepted in order", async () => {
    await using at = await simulated(
      [{ reply: { text: "Slow. ".repeat(100), pieceSize: 8, delayMs: 20 } }, { reply: { text: "Next." }, times: 9 }],
      { server: { concurrency: 1, queue: 1 } },
    );
    const { bench } = at;
    const [first = "", second = "", third = ""] = await Promise.all([1, 2, 3].map(() => bench.converse()));
    await bench.post(`/api/conversations/${first}/turns`, { message: "One" });
    await bench.until(first, ({ event }) => event === "stream.delta");
    await bench.post(`/api/conversations/${second}/turns`, { message: "Two" });
    const [, status] = await bench.until(second, ({ event }) => event === "input.received");
    expect([status?.data.kind, (await bench.get(`/api/conversations/${second}`)).conversation.status]).toEqual([
      "input.received",
      "queued",
    ]);
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: '{"message":"Three"}' };
    const refused = await bench.fetch(`/api/conversations/${third}/turns`, init);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "2"]);
    expect(await refused.json()).toMatchObject({ error: { code: "busy" } });
    // A conversation that already waits accepts more messages, because it takes only one place.
    await bench.post(`/api/conversations/${second}/turns`, { message: "Two and a half" });
    await bench.post(`/api/conversations/${first}/cancel`);
    let ended = 0;
    await bench.until(second, (frame) => frame.event === "turn.closed" && ++ended === 2);
    expect((await bench.get(`/api/conversations/${third}`)).turns).toEqual([]);
    expect((await bench.fetch(`/api/conversations/${third}/turns`, init)).status).toBe(202);
  });
});

describe("one conversation", () => {
  it("accepts a limited number of messages while its turn runs", async () => {
    await using at = await simulated([{ reply: { text: "Slow. ".repeat(400), pieceSize: 8, delayMs: 20 } }]);
    const { bench } = at;
    const id = await bench.converse();
    await bench.post(`/api/conversations/${id}/turns`, { message: "One" });
    await bench.until(id, ({ event }) => event === "stream.delta");
    const statuses = [];
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: '{"message":"More"}' };
    for (let n = 0; n < 60; n++) statuses.push((await bench.fetch(`/api/conversations/${id}/turns`, init)).status);
    expect(statuses).toEqual([...Array(50).fill(202), ...Array(10).fill(429)]);
    expect((await bench.get(`/api/conversations/${id}`)).pending).toHaveLength(50);
  });
});
