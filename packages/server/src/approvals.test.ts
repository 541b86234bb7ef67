/** Tests the approval of calls over HTTP. */
import { defineTool } from "@cairn/agent";
import { describe, expect, it } from "vitest";
import type { SentFrame } from "../test/server-bench.ts";
import { simulated } from "../test/simulated-agent.ts";
import { order } from "../test/simulated-server.ts";

const closed = ({ event }: SentFrame) => event === "turn.closed";

describe("a turn over HTTP", () => {
  it("waits for approval of what was shown, and continues when it is given; the first answer decides", async () => {
    const answered = Promise.withResolvers<void>();
    const buy = defineTool({
      ...order,
      id: "shop.buy",
      // The call still runs when the repeated answer arrives, as with a slow service.
      run: async ({ what }) => answered.promise.then(() => ({ ok: true, ret: { ordered: what } })),
    });
    await using at = await simulated(
      [
        { reply: { text: "I order.", calls: [{ name: "shop__buy", input: { what: "tea" } }] } },
        { reply: { text: "Tea is on its way." } },
      ],
      {},
      [buy],
    );
    const { bench } = at;
    const id = await bench.converse();
    await bench.post(`/api/conversations/${id}/turns`, { message: "Tea" });
    await bench.until(id, ({ event, data }) => event === "status" && data.status === "waiting");
    const asked = await bench.get(`/api/conversations/${id}`);
    expect(asked.conversation.status).toBe("waiting");
    expect(asked.approvals).toMatchObject([{ tool_id: "shop.buy", params: { what: "tea" } }]);
    const { call_id, hash } = asked.approvals[0];
    const none = await bench.post(`/api/conversations/${id}/approvals/tc_none`, { approve: true });
    expect(none).toMatchObject({ error: { code: "not_found" } });
    const unseen = await bench.post(`/api/conversations/${id}/approvals/${call_id}`, { approve: true });
    expect(unseen).toMatchObject({ error: { code: "bad_request" } });
    const other = await bench.post(`/api/conversations/${id}/approvals/${call_id}`, { approve: true, hash: "0" });
    expect(other).toMatchObject({ error: { code: "conflict" } });
    const answer = (approve: boolean) => bench.post(`/api/conversations/${id}/approvals/${call_id}`, { approve, hash });
    const [first, again, opposite] = await Promise.all([answer(true), answer(true), answer(false)]);
    answered.resolve();
    expect(again).toEqual(first);
    expect(opposite).toMatchObject({ error: { code: "conflict" } });
    await bench.until(id, closed);
    const { turns, approvals } = await bench.get(`/api/conversations/${id}`);
    expect(turns[0]).toMatchObject({ rounds: [{ status: "ok" }], completion: { text: "Tea is on its way." } });
    expect(approvals).toEqual([]);
  });

  it("runs the parameters that the approver wrote, and tells the model the reason of an answer", async () => {
    const asks = (what: string) => ({ reply: { calls: [{ name: "shop__order", input: { what } }] } });
    await using at = await simulated([asks("tea"), asks("cake"), { reply: { text: "Done." } }]);
    const { bench } = at;
    const id = await bench.converse();
    await bench.post(`/api/conversations/${id}/turns`, { message: "Tea" });
    const asked = async (times: number) => {
      await expect.poll(async () => (await bench.get(`/api/conversations/${id}`)).approvals.length).toBe(1);
      await expect.poll(() => at.simulator.requests.length).toBe(times);
      const { call_id, hash } = (await bench.get(`/api/conversations/${id}`)).approvals[0];
      return (given: object) => bench.post(`/api/conversations/${id}/approvals/${call_id}`, { hash, ...given });
    };
    const first = await asked(1);
    const wrong = await first({ approve: false, params: { what: "milk" } });
    expect(wrong).toMatchObject({ error: { code: "bad_request" } });
    await first({ approve: true, params: { what: "milk" }, reason: "She is a child." });
    const second = await asked(2);
    await second({ approve: false, reason: "One is enough." });
    await bench.until(id, closed);
    const [, made, refused] = at.simulator.requests.map(({ bytes }) => bytes);
    for (const text of ["approval_edited", "milk", "She is a child."]) expect(made).toContain(text);
    expect(refused).toContain("One is enough.");
  });
});
