/** Tests settings of a request over HTTP: sent with a message, or in the body of `useChat`. */
import { Chat } from "@ai-sdk/react";
import { defineAgent, resolveModel } from "@cairn/agent";
import { ModelSimulator } from "@cairn/testkit/models";
import { DefaultChatTransport, type UIMessage } from "ai";
import { expect, it } from "vitest";
import { serveSimulated } from "../test/simulated-server.ts";

const countTokens = (text: string) => Math.ceil(text.length / 4);

async function open(providerOptions: readonly string[] = []) {
  const simulator = await ModelSimulator.start({ countTokens });
  const isAsked = ({ lastText }: { readonly lastText: string }) => !lastText.includes("structured_output");
  simulator.script([{ reply: { text: "Done." }, times: 9, when: isAsked }]);
  const env = { CAIRN_MODEL_BASE_URL: simulator.baseUrl, CAIRN_MODEL_API_KEY: "k" };
  const model = await resolveModel("openai-compatible:any", env);
  return serveSimulated(simulator, {
    agents: [defineAgent({ name: "a", instructions: "Help.", model })],
    server: { providerOptions },
  });
}

const settings = { temperature: 0.4, top_p: 0.8, stop: ["END"], seed: 3, max_output_tokens: 77 };
const SENT = { temperature: 0.4, top_p: 0.8, stop: ["END"], seed: 3, max_tokens: 77 };

it("a message brings settings for its turn, as JSON or in a form", async () => {
  await using at = await open();
  const id = await at.bench.converse();
  const answered = (times: number) => expect.poll(() => at.simulator.requests.length).toBe(times);
  await at.bench.post(`/api/conversations/${id}/turns`, { message: "Hello", settings });
  await answered(1);
  const form = new FormData();
  form.set("message", "Again");
  form.set("settings", JSON.stringify({ temperature: 1.5 }));
  await at.bench.fetch(`/api/conversations/${id}/turns`, { method: "POST", body: form });
  await answered(2);
  expect(at.simulator.requests[0]?.body).toMatchObject(SENT);
  expect(at.simulator.requests[1]?.body).toMatchObject({ temperature: 1.5 });
  expect(at.simulator.requests[1]?.body).not.toHaveProperty("seed");
});

it("a chat of the AI SDK brings them in its body", async () => {
  await using at = await open();
  const transport = new DefaultChatTransport({ api: `${at.bench.address}/api/chat`, body: { settings } });
  const chat = new Chat<UIMessage>({ id: "chat-1", transport });
  await chat.sendMessage({ text: "Hello" });
  expect(chat.error).toBeUndefined();
  expect(at.simulator.requests[0]?.body).toMatchObject(SENT);
});

it("reasoning is set for a conversation and for a message, as JSON, in a form or in a chat", async () => {
  await using at = await open();
  const created = await at.bench.post("/api/conversations", { reasoning: { effort: "low" } });
  const id = String(created.conversation_id);
  const efforts = () => at.simulator.requests.map(({ body }) => body?.reasoning_effort);
  const path = `/api/conversations/${id}/turns`;
  await at.bench.post(path, { message: "One" });
  await expect.poll(efforts).toEqual(["low"]);
  await at.bench.post(path, { message: "Two", reasoning: { effort: "high" } });
  await expect.poll(efforts).toEqual(["low", "high"]);
  const form = new FormData();
  form.set("message", "Three");
  form.set("reasoning", JSON.stringify({ effort: "none" }));
  await at.bench.fetch(path, { method: "POST", body: form });
  await expect.poll(efforts).toEqual(["low", "high", "none"]);
  const body = { reasoning: { effort: "max" } };
  const transport = new DefaultChatTransport({ api: `${at.bench.address}/api/chat`, body });
  await new Chat<UIMessage>({ id: "chat-2", transport }).sendMessage({ text: "Hello" });
  expect(efforts()).toEqual(["low", "high", "none", "max"]);
});

it.each([
  ["an unknown effort", { reasoning: { effort: "extreme" } }, "effort"],
  ["a budget that is no number", { reasoning: { budget_tokens: "many" } }, "budget_tokens"],
  ["nothing", { reasoning: {} }, "needs an effort or a budget"],
  ["the reasoning of a turn that runs", { reasoning: { effort: "low" }, mode: "steer" }, "steers"],
  ["reasoning among the settings", { settings: { reasoning: { effort: "low" } } }, "reasoning"],
  ["an unknown setting", { settings: { heat: 1 } }, "heat"],
  ["a value out of range", { settings: { temperature: 3 } }, "temperature"],
  ["a schema that cannot be used", { output: { type: "array" } }, "output"],
  ["a schema of a steering message", { mode: "steer", output: { type: "object" } }, "steers"],
  ["settings of a steering message", { mode: "steer", settings: { temperature: 1 } }, "steers"],
  [
    "an option of the provider that is not allowed",
    { settings: { provider_options: { openai: { user: "me" } } } },
    "openai.user",
  ],
])("%s is refused by name, and nothing is made of the message", async (_, fields, name) => {
  await using at = await open(["openai.effort"]);
  const id = await at.bench.converse();
  const answer = await at.bench.fetch(`/api/conversations/${id}/turns`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message: "Hello", ...fields }),
  });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(name)]);
  expect((await at.bench.get(`/api/conversations/${id}`)).pending).toEqual([]);
});

it("a message brings the schema of its answer, and the turn shows the value", async () => {
  await using at = await open();
  at.simulator.script([{ reply: { text: '{"score": 3}' }, times: 2 }]);
  const id = await at.bench.converse();
  const schema = { type: "object", properties: { score: { type: "number" } }, required: ["score"] };
  await at.bench.post(`/api/conversations/${id}/turns`, { message: "Grade it", output: schema });
  const form = new FormData();
  form.set("message", "Again");
  form.set("output", JSON.stringify(schema));
  await at.bench.fetch(`/api/conversations/${id}/turns`, { method: "POST", body: form });
  const values = async () =>
    (await at.bench.get(`/api/conversations/${id}`)).turns.map(
      ({ completion }: { completion: { output?: unknown } | null }) => completion?.output,
    );
  await expect.poll(values).toEqual([{ score: 3 }, { score: 3 }]);
});

it("an option of the provider that the operator allows is sent", async () => {
  await using at = await open(["openai-compatible.user"]);
  const id = await at.bench.converse();
  const asked = { provider_options: { "openai-compatible": { user: "ada" } } };
  await at.bench.post(`/api/conversations/${id}/turns`, { message: "Hello", settings: asked });
  await expect.poll(() => at.simulator.requests[0]?.body).toMatchObject({ user: "ada" });
});
