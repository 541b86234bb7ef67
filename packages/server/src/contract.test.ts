/**
 * Tests that the contract and the server agree. All tests with `ServerBench` compare every response with the contract.
 * This file proves that this comparison covers every endpoint and finds differences.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkEvent, checkResponse, endpoints } from "../test/contract-check.ts";
import { ServerBench } from "../test/server-bench.ts";

let bench: ServerBench;
beforeAll(async () => {
  bench = await ServerBench.open();
});
afterAll(() => bench[Symbol.asyncDispose]());

it("serves exactly the endpoints of the contract", async () => {
  const { paths } = await bench.get("/openapi.json");
  const served = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method} ${path}`),
  );
  expect(served.toSorted()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).toSorted());
});

it("rejects a response with a field that the contract does not know, at any depth", async () => {
  const id = await bench.converse();
  await bench.say(id, "Hello");
  const path = `/api/conversations/${id}`;
  const json = await bench.get(path);
  const answered = { method: "GET", path, status: 200 };
  expect(() => checkResponse({ ...answered, json })).not.toThrow();
  const [turn] = json.turns;
  for (const wrong of [
    { ...json, surplus: 1 },
    { ...json, turns: [{ ...turn, surplus: 1 }] },
    { ...json, turns: [{ ...turn, prompt: { ...turn.prompt, surplus: 1 } }] },
    { ...json, conversation: { ...json.conversation, title: undefined } },
    { ...json, seq: "1" },
  ])
    expect(() => checkResponse({ ...answered, json: wrong })).toThrow("is not what the contract says");
});

it("rejects a status that the contract does not list, and an error in another form", () => {
  const path = "/api/conversations/c1/fork";
  expect(() => checkResponse({ method: "POST", path, status: 200, json: { conversation_id: "c2" } })).toThrow(
    "is not in the contract",
  );
  expect(() => checkResponse({ method: "POST", path, status: 500, json: { code: "internal" } })).toThrow();
});

it("rejects an event with a field that the contract does not know", () => {
  expect(() => checkEvent("progress", { call_id: "tc_1", text: "half" })).not.toThrow();
  expect(() => checkEvent("progress", { call_id: "tc_1", text: "half", fraction: 0.5 })).toThrow();
  expect(() => checkEvent("block.appended", { seq: 1, kind: "block.appended", v: 1, body: {} })).toThrow();
});
