/** Tests standing orders over HTTP: people list, correct and delete them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServerBench } from "../../../test/server-bench.ts";

interface Order {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly path: string | null;
  readonly by: string;
}

let bench: ServerBench;
beforeAll(async () => {
  bench = await ServerBench.open();
});
afterAll(() => bench[Symbol.asyncDispose]());

const at = (id: string, order = "") => `/api/conversations/${id}/orders${order === "" ? "" : `/${order}`}`;
const list = async (id: string): Promise<readonly Order[]> => (await bench.get(at(id))).orders;
const send = (method: string, path: string, body?: unknown) =>
  bench.fetch(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });

describe("the standing orders of a conversation", () => {
  it("are listed with their kind and source, and hold as they were changed, also after the next turn", async () => {
    const id = await bench.converse();
    await bench.say(id, "From now on answer in French. Never mention my age. What is a cairn?");
    const [french, age] = await list(id);
    expect([french, age]).toMatchObject([
      { kind: "language", text: "From now on answer in French.", by: "person" },
      { kind: "rule", text: "Never mention my age.", by: "person" },
    ]);
    expect(french?.path).toMatch(/^ar:turn_\w+\.user\.prompt$/);
    await bench.post(at(id), { text: "Metric units.", kind: "units" });
    expect((await send("PATCH", at(id, french?.id), { text: "Answer in Welsh." })).status).toBe(200);
    const removed = await send("DELETE", at(id, age?.id));
    const changed = [
      ["units", "Metric units."],
      ["language", "Answer in Welsh."],
    ];
    const { orders } = (await removed.json()) as { readonly orders: readonly Order[] };
    expect(orders.map(({ kind, text }) => [kind, text])).toEqual(changed);
    await bench.say(id, "And what is a moraine?");
    const held = await list(id);
    expect(held.map(({ kind, text }) => [kind, text])).toEqual(changed);
    for (const { path } of held) expect(path).toMatch(/^ar:turn_\w+\.react\.note\.\d$/);
  });

  it("the standing orders of a conversation that are not there, or have no words, change nothing", async () => {
    const id = await bench.converse();
    await bench.say(id, "Always cite sources. What is a cairn?");
    expect((await send("DELETE", at(id, "none"))).status).toBe(404);
    expect((await send("PATCH", at(id, "none"), { text: "x" })).status).toBe(404);
    expect((await send("POST", at(id), { text: "  " })).status).toBe(400);
    expect((await send("POST", at(id), { text: "x".repeat(601) })).status).toBe(400);
    expect((await send("GET", at("nobody's"))).status).toBe(404);
    expect(await list(id)).toHaveLength(1);
  });
});
