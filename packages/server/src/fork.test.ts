import { describe, expect, it } from "vitest";
import { ServerBench } from "../test/server-bench.ts";
import { simulated } from "../test/simulated-agent.ts";

describe("a fork", () => {
  it("before a turn has neither its message nor its answer, after the turn has both, and with resend runs the turn again", async () => {
    await using bench = await ServerBench.open();
    const id = await bench.converse();
    await bench.say(id, "Remember that I like tea");
    const { turns } = await bench.say(id, "What do I like?");
    const fork = async (body: object) => {
      const made = await bench.post(`/api/conversations/${id}/fork`, body);
      return String(made.conversation_id);
    };
    const [first, second] = turns;
    const before = await fork({ at: { turn_id: second.turn_id, edge: "before" } });
    expect(await bench.get(`/api/conversations/${before}`)).toMatchObject({ turns: [first], pending: [] });
    const after = await fork({ at: { turn_id: first.turn_id, edge: "after" } });
    expect((await bench.get(`/api/conversations/${after}`)).turns).toEqual([first]);
    const again = await fork({ at: { turn_id: second.turn_id, edge: "before" }, resend: true });
    await bench.until(again, ({ event, data }) => event === "turn.closed" && data.body.turn_id === second.turn_id);
    expect((await bench.get(`/api/conversations/${again}`)).turns).toMatchObject([
      first,
      { prompt: { text: "What do I like?" } },
    ]);
    // The fork and its versions name the original, until it is deleted.
    const edited = await bench.post(`/api/conversations/${again}/branch`, {
      before: second.turn_id,
      message: "And now?",
    });
    const [, { opened_seq: own }] = (await bench.get(`/api/conversations/${again}`)).turns;
    for (const forked of [again, edited.conversation_id]) {
      const { forked_from } = await bench.get(`/api/conversations/${forked}`);
      expect(forked_from).toMatchObject({ conversation_id: id, seq: expect.any(Number) });
      expect(forked_from.seq).toBeGreaterThan(first.opened_seq);
      expect(forked_from.seq).toBeLessThan(own);
    }
    expect((await bench.get(`/api/conversations/${id}`)).forked_from).toBeNull();
    const nowhere = await bench.post(`/api/conversations/${id}/fork`, { at: { turn_id: "turn_x", edge: "before" } });
    expect(nowhere).toMatchObject({ error: { code: "not_found" } });
    await bench.fetch(`/api/conversations/${id}`, { method: "DELETE" });
    expect((await bench.get(`/api/conversations/${again}`)).forked_from).toBeNull();
  });

  it("before a message that came while a turn was at work leaves out that message and keeps the turn", async () => {
    await using at = await simulated([
      {
        reply: {
          text: "Slow. ".repeat(30),
          pieceSize: 8,
          delayMs: 10,
          calls: [{ name: "react__plan", input: { mode: "new", steps: ["a"] } }],
        },
      },
      { reply: { text: "Done." }, times: 5 },
    ]);
    const { bench } = at;
    const id = await bench.converse();
    await bench.post(`/api/conversations/${id}/turns`, { message: "One" });
    await bench.until(id, ({ event }) => event === "stream.delta");
    const second = await bench.post(`/api/conversations/${id}/turns`, { message: "Two", mode: "follow-up" });
    await bench.until(id, ({ event, data }) => event === "turn.closed" && data.body.turn_id === second.turn_id);
    const made = await bench.post(`/api/conversations/${id}/fork`, { at: { turn_id: second.turn_id, edge: "before" } });
    const fork = await bench.get(`/api/conversations/${made.conversation_id}`);
    expect(fork.turns).toMatchObject([{ prompt: { text: "One" } }]);
    expect(fork.pending).toEqual([]);
  });
});
