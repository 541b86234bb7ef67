/** Tests that a user who has used up the share of the processor can still stop a turn. */
import { once } from "node:events";
import { defineAgent, type Model } from "@cairn/agent";
import { expect, it } from "vitest";
import { ServerBench } from "../../test/server-bench.ts";
import { newToken } from "../auth/tokens.ts";

const hostile = newToken({ tenant: "hostile", project: "p", user: "u" });
const polite = newToken({ tenant: "polite", project: "p", user: "u" });
const headers = ({ token }: { readonly token: string }) => ({ authorization: `Bearer ${token}` });

/** A model that answers nothing until it is stopped. */
const silent: Model = {
  id: "silent",
  provider: "automatic",
  contextTokens: 100_000,
  maxOutputTokens: 4_000,
  async *stream(_, { signal }) {
    yield { type: "text", text: "Well" };
    if (!signal.aborted) await once(signal, "abort");
    signal.throwIfAborted();
  },
};

it("a turn is stopped before the other requests of its user, who has used up its share of the processor", async () => {
  await using bench = await ServerBench.open({
    agents: [defineAgent({ name: "silent", instructions: "Wait.", model: silent })],
    server: {
      tokens: JSON.stringify([hostile.entry, polite.entry]),
      userShare: 1,
      userRequests: 10_000,
      tenantRequests: 10_000,
    },
  });
  const id = String((await bench.post("/api/conversations", {}, headers(hostile))).conversation_id);
  await bench.post(`/api/conversations/${id}/turns`, { message: "Hello" }, headers(hostile));
  await expect
    .poll(async () => {
      const response = await bench.fetch(`/api/conversations/${id}`, { headers: headers(hostile) });
      return (await response.json()).turns.length;
    })
    .toBe(1);
  let [answered, isOver] = [0, false];
  const busy = Promise.allSettled(
    Array.from({ length: 60 }, async () => {
      while (!isOver) {
        await bench.post("/api/conversations", {}, headers(hostile));
        answered++;
      }
    }),
  );
  try {
    /** Sixty callers of the hostile user get fewer answers than one caller of another tenant, because they wait. */
    await expect
      .poll(async () => {
        const before = answered;
        for (let nth = 0; nth < 20; nth++) await bench.fetch("/api/conversations", { headers: headers(polite) });
        return answered - before;
      })
      .toBeLessThan(20);
    const before = answered;
    const stopped = await bench.fetch(`/api/conversations/${id}/cancel`, { method: "POST", headers: headers(hostile) });
    expect(stopped.status).toBe(202);
    // The sixty requests came first. If the request to stop waited in order, it would be answered after them.
    expect(answered - before).toBeLessThan(30);
  } finally {
    isOver = true;
    await bench.stop();
    await busy;
  }
});
