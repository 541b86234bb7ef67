/** Tests the cache rules of each wire format: the positions, and the content before the messages. */
import type { JsonObject } from "@cairn/timeline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ModelSimulator } from "../model-simulator.ts";

let simulator: ModelSimulator;
beforeEach(async () => {
  simulator = await ModelSimulator.start({ countTokens: (text) => text.length, clock: { now: () => 0 } });
  simulator.script([{ reply: { text: "ok" }, times: Number.POSITIVE_INFINITY }]);
});
afterEach(() => simulator.close());

/** Tokens read and written by a request. */
async function send(path: string, body: JsonObject): Promise<[read: number | undefined, written: number | undefined]> {
  const headers = { "x-api-key": "key", "anthropic-version": "2023-06-01", authorization: "Bearer key" };
  await fetch(`${simulator.baseUrl}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const last = simulator.requests.at(-1);
  expect(last?.refusal).toBeNull();
  return [last?.usage?.read, last?.usage?.written];
}

describe("at Anthropic", () => {
  const marker = { cache_control: { type: "ephemeral" } };
  const text = (value: string, isMarked = false): JsonObject => ({
    type: "text",
    text: value,
    ...(isMarked ? marker : {}),
  });
  const look = { name: "look", description: "Looks", input_schema: { type: "object" } };
  const long = "a".repeat(2_000);
  const ask = (messages: JsonObject[], more: JsonObject = {}) =>
    send("/messages", { model: "claude-sonnet-4-5", max_tokens: 2_000, tools: [look], messages, ...more });
  const user = (...content: JsonObject[]): JsonObject => ({ role: "user", content });
  const toolTokens = JSON.stringify({
    name: look.name,
    description: look.description,
    schema: look.input_schema,
  }).length;
  const whole = 2_000 + toolTokens;

  it.each([
    [19, true],
    [20, false],
  ])("%i texts after the last entry are within the lookback: %s", async (count, isFound) => {
    await ask([user(text(long, true))]);
    const more = Array.from({ length: count - 1 }, (_, nth) => text(`m${nth}`));
    const [read] = await ask([user(text(long), ...more, text("end", true))]);
    expect(read).toBe(isFound ? whole : 0);
  });

  it("a run of calls is one position, and so is a run of results", async () => {
    await ask([user(text(long, true))]);
    const ids = Array.from({ length: 40 }, (_, nth) => `t${nth}`);
    const calls = ids.map((id) => ({ type: "tool_use", id, name: "look", input: {} }));
    const results = ids.map((id) => ({ type: "tool_result", tool_use_id: id, content: "seen" }));
    const [read] = await ask([
      user(text(long)),
      { role: "assistant", content: calls },
      user(...results, text("end", true)),
    ]);
    expect(read).toBe(whole);
  });

  it.each<[string, JsonObject]>([
    ["tool_choice", { tool_choice: { type: "any" } }],
    ["thinking", { thinking: { type: "adaptive" } }],
  ])("a change of %s keeps the system text and loses the messages", async (_, change) => {
    const system = [text("s".repeat(1_500), true)];
    const messages = [user(text(long, true))];
    expect(await ask(messages, { system })).toEqual([0, 1_500 + whole]);
    expect(await ask(messages, { system, ...change })).toEqual([1_500 + toolTokens, 2_000]);
    expect(await ask(messages, { system, ...change })).toEqual([1_500 + whole, 0]);
  });

  it("a picture that is added to the prompt loses the messages", async () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
    await ask([user(text(long, true))]);
    expect((await ask([user(text(long, true), image)]))[0]).toBe(0);
    expect((await ask([user(text(long, true), image)]))[0]).toBe(whole);
  });

  it("another model, other tools and a changed text share no cache entry", async () => {
    await ask([user(text(long, true))]);
    expect((await ask([user(text(long, true))], { model: "claude-opus-4-8" }))[0]).toBe(0);
    expect((await ask([user(text(long, true))], { tools: [{ ...look, name: "see" }] }))[0]).toBe(0);
    expect((await ask([user(text(`b${long}`, true))]))[0]).toBe(0);
    expect((await ask([user(text(long, true))]))[0]).toBe(whole);
  });

  it("a marker on a prefix under the minimum is silently ignored", async () => {
    const messages = [user(text("a".repeat(1_023 - toolTokens), true), text("tail"))];
    expect(await ask(messages)).toEqual([0, 0]);
    expect(await ask(messages)).toEqual([0, 0]);
  });

  it("the marker of the whole request moves with its last block", async () => {
    const cache_control = { type: "ephemeral" };
    expect(await ask([user(text(long))], { cache_control })).toEqual([0, whole]);
    expect(await ask([user(text(long), text("more"))], { cache_control })).toEqual([whole, 4]);
  });
});

describe("at OpenAI", () => {
  const ask = (texts: string[], more: JsonObject = {}) => {
    const input = texts.map((content) => ({ role: "user", content }));
    return send("/responses", { model: "gpt-5.6", input, prompt_cache_key: "one", ...more });
  };

  it("prompts with another routing key share no cache entry", async () => {
    const long = "a".repeat(2_000);
    await ask([long]);
    expect((await ask([long], { prompt_cache_key: "two" }))[0]).toBe(0);
    expect((await ask([long]))[0]).toBe(2_000);
  });

  it("only the latest twenty ends of messages are looked at", async () => {
    const long = "a".repeat(2_000);
    await ask([long]);
    const more = (count: number) => Array.from({ length: count }, (_, nth) => `${count} ${nth}`);
    expect((await ask([long, ...more(20)]))[0]).toBe(2_000);
    expect((await ask([long, ...more(21)]))[0]).toBe(0);
  });

  it("an item of an earlier answer can be referenced, and counts as its content", async () => {
    const user = { role: "user", content: "a".repeat(2_000) };
    await ask([], { input: [user] });
    const id = "msg_sim_1";
    expect((await ask([], { input: [user, { type: "item_reference", id }, { role: "user", content: "b" }] }))[0]).toBe(
      2_000,
    );
    expect(simulator.requests.at(-1)?.request?.texts).toEqual([user.content, "ok", "b"]);
  });
});
