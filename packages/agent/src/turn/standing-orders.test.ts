/** Tests standing orders in whole turns: people change them, compactions keep them, and new conversations copy them. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openEmbeddedStore } from "@cairn/store";
import { TurnBench } from "@cairn/testkit/turns";
import { makeEvent, standingOrders } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import type { AgentMemory } from "../definition/agent-memory.ts";

const TS = "2026-02-09T10:00:00Z";
const PROMPT = /ar:turn_1\.user\.prompt/;

async function ordersOf(bench: TurnBench, conversation = bench.key.conversation): Promise<string[]> {
  const { state } = await bench.store.load({ ...bench.key, conversation });
  return standingOrders(state).map(({ text }) => text);
}

describe("a change that a person makes to the standing orders", () => {
  it("takes effect at once, is on the timeline with the next turn, and the model is told which order it replaces", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([{ reply: { text: "Oui." } }, { reply: { text: "Ja." } }]);
    await bench.turn("From now on answer in French. Never mention my age.");
    const [french, age] = standingOrders((await bench.store.load(bench.key)).state);
    const name = (order: typeof french) => ({ path: order?.path ?? "", text: order?.text ?? "" });
    await bench.append(
      makeEvent("order.changed", { key: "o1", ts: TS, text: "Answer in German.", closes: [name(french)] }),
    );
    await bench.append(makeEvent("order.changed", { key: "o2", ts: TS, closes: [name(age)] }));
    expect(await ordersOf(bench)).toEqual(["Answer in German."]);
    await bench.turn("And now?");
    expect(await ordersOf(bench)).toEqual(["Answer in German."]);
    const notes = (await bench.blocks()).filter(({ type }) => type === "react.note");
    expect(notes).toMatchObject([
      { author: "user", path: "ar:turn_3.react.note.1", text: expect.stringContaining("In place of: From now on") },
      { author: "user", path: "ar:turn_3.react.note.2", text: "No longer holds: Never mention my age." },
    ]);
    expect(french?.path).toMatch(PROMPT);
    expect(JSON.stringify(bench.simulator.requests.at(-1)?.body)).toContain("No longer holds: Never mention my age.");
    expect((await bench.store.load(bench.key)).state.pendingOrders.size).toBe(0);
  });
});

describe("a new conversation", () => {
  const inAnother = async (memory: AgentMemory | undefined, orders: string) => {
    await using bench = await TurnBench.open();
    bench.simulator.script([{ reply: { text: "Fine." }, times: 9 }]);
    await bench.turn(orders);
    const key = { ...bench.key, conversation: "c2" };
    await bench.store.createConversation(key);
    const stranger = { ...bench.key, user: "eve", conversation: "c3" };
    await bench.store.createConversation(stranger);
    const agent = { ...bench.agent, ...(memory === undefined ? {} : { memory }) };
    for (const each of [key, stranger]) {
      const event = makeEvent("input.received", { key: "k", mode: "turn", message: "Hi", attachments: [], ts: TS });
      await bench.store.append(each, [event]);
      await bench.run({ key: each, agent });
    }
    const ordersAt = async (each: typeof key) => standingOrders((await bench.store.load(each)).state);
    return { own: await ordersAt(key), strangers: await ordersAt(stranger) };
  };
  const ORDERS = "From now on answer in French. Always use metric units.";

  it("begins with the user's standing orders if the application says so, and never with another user's", async () => {
    const { own, strangers } = await inAnother({ standingOrders: "user" }, ORDERS);
    expect(new Set(own.map(({ by, kind, text }) => `${kind} by ${by}: ${text}`))).toEqual(
      new Set(["units by person: Always use metric units.", "language by person: From now on answer in French."]),
    );
    expect(strangers).toEqual([]);
  });

  it("begins even if another conversation of the user is damaged", async () => {
    let folder = "";
    await using bench = await TurnBench.open({
      agent: { memory: { standingOrders: "user" } },
      openStore: (dir) => {
        folder = dir;
        return openEmbeddedStore({ dir });
      },
    });
    bench.simulator.script([{ reply: { text: "Fine." }, times: 9 }]);
    await bench.turn("From now on answer in French.");
    using db = new DatabaseSync(join(folder, "cairn.db"));
    db.exec("UPDATE events SET body = '{'");
    const key = { ...bench.key, conversation: "c2" };
    await bench.store.createConversation(key);
    const event = makeEvent("input.received", { key: "k", mode: "turn", message: "Hi", attachments: [], ts: TS });
    await bench.store.append(key, [event]);
    expect(await bench.run({ key })).toMatchObject({ status: "ended" });
    expect(standingOrders((await bench.store.load(key)).state)).toEqual([]);
  });

  it("begins without standing orders unless the application says so", async () => {
    expect((await inAnother(undefined, ORDERS)).own).toEqual([]);
    expect((await inAnother({ standingOrders: "conversation" }, ORDERS)).own).toEqual([]);
  });

  it("gets as many as fit: a window of 200,000 tokens holds 4,000 tokens of orders", async () => {
    const many = Array.from(
      { length: 40 },
      (_, n) => `Never open door ${n}, ${"whatever anybody says, ".repeat(20)}ok.`,
    );
    const { own } = await inAnother({ standingOrders: "user" }, many.join("\n").slice(0, 1_900));
    const tokens = own.reduce((sum, { text }) => sum + Math.ceil(text.length / 4), 0);
    expect(own.length).toBeGreaterThan(0);
    expect(tokens).toBeLessThanOrEqual(4_000);
  });
});
