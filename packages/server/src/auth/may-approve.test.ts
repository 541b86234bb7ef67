/** Tests callers who may not approve: a customer asks the agent, and another person approves its calls. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { agent, type Cairn, createCairn, tool } from "cairn-agent";
import { scriptedModel } from "cairn-agent/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { createHandler } from "../handler.ts";

const CUSTOMER = { tenant: "acme", user: "ada" };
let folder: string;
let cairn: Cairn;
let ask: (path: string, body: object) => Promise<Response>;
const refunded: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-approve-"));
  const refund = tool({
    name: "refund",
    description: "Refunds an order.",
    input: z.object({}),
    approval: true,
    run: (_, { conversation }) => refunded.push(conversation),
  });
  const locate = tool({ name: "locate", description: "Tells where the customer is.", input: z.object({}) });
  const model = scriptedModel(({ view }) => {
    const blocks = [...view.origins()].map(({ block }) => block);
    if (blocks.some(({ type }) => type === "react.tool.result")) return { say: "Done." };
    return { call: blocks.some(({ text }) => text?.includes("near me")) ? "locate" : "refund" };
  });
  cairn = await createCairn({
    agents: [agent({ name: "support", model, instructions: "Help.", tools: [refund, locate] })],
    store: folder,
  });
  const { fetch } = createHandler(cairn, { authenticate: () => ({ ...CUSTOMER, approve: false }) });
  ask = async (path, body) =>
    fetch(
      new Request(`https://shop.example/api${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
});
afterAll(async () => {
  await cairn.close();
  await rm(folder, { recursive: true, force: true });
});

/** A conversation whose turn waits. `answered` is the call in the form in which a `useChat` client answers it. */
async function waiting(id: string, text = "Refund A1") {
  const said = { id: "m1", role: "user", parts: [{ type: "text", text }] };
  await (await ask("/chat", { id, messages: [said] })).text();
  const conversation = cairn.conversation(id, CUSTOMER);
  const [approval] = await conversation.approvals();
  if (approval === undefined) throw new Error("No call is waiting.");
  const { id: call, hash } = approval;
  const answered = (part: object) => ({
    id,
    messages: [said, { id: "m2", role: "assistant", parts: [{ type: "tool-refund", toolCallId: call, ...part }] }],
  });
  return { conversation, approval, at: `/conversations/${id}/approvals/${call}`, hash, call, answered };
}

it("a customer cannot approve, neither by the API nor by useChat; someone else can", async () => {
  const { conversation, approval, at, hash, call, answered } = await waiting("approve");
  const responded = { state: "approval-responded", approval: { id: `${call}:${hash}`, approved: true } };
  for (const answer of [
    await ask(at, { approve: true, hash }),
    await ask(at, { approve: true, hash, remember: true }),
    await ask("/chat", answered(responded)),
  ])
    expect([answer.status, (await answer.json()).error.code]).toEqual([403, "forbidden"]);
  expect(await conversation.approvals()).toEqual([approval]);
  expect(refunded).not.toContain("approve");
  await conversation.approve(approval);
  expect((await (await conversation.resume())?.result)?.text).toBe("Done.");
  expect(refunded).toContain("approve");
});

it("a chat message of a customer waits behind the approval and does not cancel it, unless the customer may answer", async () => {
  const say = async (id: string, messageId: string, text: string) =>
    (await ask("/chat", { id, messages: [{ id: messageId, role: "user", parts: [{ type: "text", text }] }] })).text();
  const { conversation, approval } = await waiting("thanks");
  const stream = await say("thanks", "m2", "Thanks!");
  expect(stream).toContain('"exit":"waiting"');
  expect(await say("thanks", "m2", "Thanks!")).toBe(stream);
  expect(await say("thanks", "m1", "Refund A1")).toContain("tool-approval-request");
  expect(await conversation.approvals()).toEqual([approval]);
  await conversation.approve(approval);
  const completions = async () => (await conversation.messages()).map(({ role, text }) => [role, text]);
  const answers = [
    ["user", "Refund A1"],
    ["assistant", "Done."],
    ["user", "Thanks!"],
    ["assistant", "Done."],
  ];
  await expect.poll(completions).toEqual(answers);
  expect(refunded).toContain("thanks");
  // The customer itself runs a call of the client, so another message of the customer cancels this call.
  const located = await waiting("elsewhere", "What is near me?");
  await say("elsewhere", "m2", "Never mind");
  expect(await located.conversation.approvals()).toEqual([]);
});

it("a customer cannot approve over MCP", async () => {
  const { fetch } = createHandler(cairn, { authenticate: () => ({ ...CUSTOMER, approve: false }) });
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: { approve: true } }));
  const at = new URL("https://shop.example/mcp");
  const mounted = async (url: string | URL, init?: RequestInit) => fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(at, { fetch: mounted }));
  const result = await client.callTool({ name: "ask", arguments: { message: "Refund A1" } });
  await client.close();
  expect(result.isError).toBe(true);
  expect(JSON.stringify(result.content)).toContain("may not approve");
});

it("a customer may refuse a call, and run a call of the client", async () => {
  const refused = await waiting("refuse");
  expect((await ask(refused.at, { approve: false, hash: refused.hash })).status).toBe(202);
  expect((await (await refused.conversation.resume())?.result)?.text).toBe("Done.");
  expect(refunded).not.toContain("refuse");
  const located = await waiting("locate", "What is near me?");
  const stream = await ask("/chat", located.answered({ state: "output-available", output: { city: "Lisbon" } }));
  expect(await stream.text()).toContain("Done.");
});
