/** Tests that the storage limit of the user applies to the outputs of calls that a client ran. */
import { defineAgent } from "@cairn/agent";
import { tool } from "cairn-agent";
import { scriptedModel } from "cairn-agent/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { TokenHolder } from "../../test/described-calls.ts";
import { ServerBench } from "../../test/server-bench.ts";

let bench: ServerBench;
const { ada, list } = TokenHolder.pair(() => bench);

beforeAll(async () => {
  const place = tool({ name: "place", description: "Where the user is.", input: z.object({}) });
  const agents = [
    defineAgent({
      name: "clerk",
      instructions: "Help.",
      model: scriptedModel(() => ({ call: "place" })),
      tools: [place],
    }),
  ];
  bench = await ServerBench.open({ agents, settings: { CAIRN_TOKENS: list }, server: { userStorageMb: 1 } });
});
afterAll(() => bench[Symbol.asyncDispose]());

const said = { id: "m1", role: "user", parts: [{ type: "text", text: "Where am I? ".repeat(8_000) }] };
const output = "a".repeat(950_000);

it.each(["chat", "approval"])(
  "an output (%s) that does not fit is refused, and its call goes on waiting",
  async (id) => {
    const post = (path: string, body: object) =>
      ada.send({ method: "POST", path, type: "application/json", body: JSON.stringify(body) });
    await post("/api/chat", { id, messages: [said] });
    const conversation = `/api/conversations/${id}`;
    const [{ call_id, hash }] = (await ada.get(conversation)).approvals;
    const part = { type: "tool-place", toolCallId: call_id, state: "output-available", input: {}, output };
    const { status, text } =
      id === "chat"
        ? await post("/api/chat", { id, messages: [said, { id: "m2", role: "assistant", parts: [part] }] })
        : await post(`${conversation}/approvals/${call_id}`, { approve: true, hash, output });
    expect([status, JSON.parse(text).error]).toMatchObject([
      507,
      { code: "storage_full", details: { limit: "storage" } },
    ]);
    expect((await ada.get(conversation)).approvals).toHaveLength(1);
  },
);
