/** Tests the simulator's server: its script, its record of requests, and its failures. */
import type { JsonObject } from "@cairn/timeline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ModelSimulator } from "./model-simulator.ts";

let simulator: ModelSimulator;
const countTokens = (text: string) => text.length;
beforeEach(async () => {
  simulator = await ModelSimulator.start({ countTokens, clock: { now: () => 5_000 } });
});
afterEach(() => simulator.close());

const HEADERS = { "x-api-key": "key", "anthropic-version": "2023-06-01", authorization: "Bearer key" };
const ask = (text: string, more: JsonObject = {}): JsonObject => ({
  model: "claude-sonnet-4-5",
  max_tokens: 10,
  messages: [{ role: "user", content: text }],
  ...more,
});

function post(body: JsonObject | string, { path = "/messages", signal }: { path?: string; signal?: AbortSignal } = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const options = { method: "POST", headers: HEADERS, body: text };
  return fetch(`${simulator.baseUrl}${path}`, signal === undefined ? options : { ...options, signal });
}

async function say(text: string): Promise<string | undefined> {
  const { content } = (await (await post(ask(text))).json()) as { content?: { text: string }[] };
  return content?.[0]?.text;
}

describe("a script", () => {
  it("is consumed by the requests that match its steps, in whatever order they come", async () => {
    simulator.script([
      { when: ({ lastText }) => lastText.includes("left"), reply: { text: "L" } },
      { when: ({ lastText }) => lastText.includes("right"), reply: { text: "R" } },
      { reply: ({ lastText }) => ({ text: `any ${lastText}` }), times: 2 },
    ]);
    expect([await say("right"), await say("up"), await say("left"), await say("left")]).toEqual([
      "R",
      "any up",
      "L",
      "any left",
    ]);
    expect(simulator.remaining).toEqual([]);
  });

  it("answers a request that matches no step with the request and the steps that are left", async () => {
    simulator.script([
      { name: "greeting", when: () => false, reply: {} },
      { when: () => false, reply: {} },
    ]);
    const response = await post(ask("Where is it?"));
    expect(response.status).toBe(500);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toMatch(/"Where is it\?".*steps left: greeting, step 2/);
    expect(simulator.requests[0]).toMatchObject({ status: 500, step: null, usage: null });
  });

  it("a script that throws is reported as a failure of the simulator", async () => {
    const reply = () => {
      throw new Error("typo");
    };
    simulator.script([{ reply }]);
    const response = await post(ask("hi"));
    expect([response.status, await response.text()]).toEqual([
      500,
      expect.stringContaining("The simulator failed: Error: typo"),
    ]);
  });
});

describe("the record", () => {
  it("keeps headers, the exact bytes, the parsed body, the time and the step", async () => {
    simulator.script([{ name: "one", reply: { text: "ok" } }]);
    const bytes = JSON.stringify(ask("hi"), null, 3);
    await (await post(bytes)).text();
    const [record] = simulator.requests;
    expect(record).toMatchObject({ nth: 1, at: 5_000, method: "POST", path: "/v1/messages", step: "one", status: 200 });
    expect(record?.bytes).toBe(bytes);
    expect(record?.body).toEqual(ask("hi"));
    expect(record?.headers["x-api-key"]).toBe("key");
    expect(record?.aborted).toBe(false);
  });

  it("keeps rejected requests too, with the reason", async () => {
    await post(ask(""));
    expect(simulator.requests[0]).toMatchObject({
      status: 400,
      refusal: expect.stringContaining("non-empty"),
      request: null,
    });
  });

  it("notes when a client disconnected before any answer", async () => {
    simulator.script([{ reply: { fault: "stall" } }]);
    const abort = new AbortController();
    const waiting = post(ask("hi"), { signal: abort.signal });
    await expect.poll(() => simulator.requests[0]?.step).toBe("step 1");
    abort.abort();
    await expect(waiting).rejects.toThrow();
    await expect.poll(() => simulator.requests[0]?.aborted).toBe(true);
    expect(simulator.requests[0]?.status).toBeNull();
  });
});

describe("a failure", () => {
  it.each([[{ fault: "cut" as const }], [{ text: "x", interrupt: { after: 0, by: "cut" as const } }]])(
    "closes the connection without an answer: %j",
    async (reply) => {
      simulator.script([{ reply }]);
      await expect(post(ask("hi"))).rejects.toThrow("fetch failed");
      expect(simulator.requests[0]).toMatchObject({ aborted: false });
    },
  );

  it("can be any status with any body, and a retry-after time", async () => {
    simulator.script([{ reply: { fault: "status", status: 502, body: "<html>", retryAfter: 7 } }]);
    const response = await post(ask("hi"));
    expect([response.status, response.headers.get("retry-after"), await response.text()]).toEqual([502, "7", "<html>"]);
  });

  it("for a prompt that is too large is automatic, and leaves the script and the cache unchanged", async () => {
    await simulator.close();
    simulator = await ModelSimulator.start({ countTokens, contextWindow: 100 });
    simulator.script([{ reply: { text: "ok" } }]);
    const messages = await Promise.all(
      ["a".repeat(120), "a".repeat(95)].map(
        async (text) => ((await (await post(ask(text))).json()) as { error: { message: string } }).error.message,
      ),
    );
    expect(messages).toEqual([
      "prompt is too long: 120 tokens > 100 maximum",
      "input length and `max_tokens` exceed context limit: 95 + 10 > 100, decrease input length or `max_tokens` and try again",
    ]);
    expect(await say("short")).toBe("ok");
  });

  it("for a body that is too large is a 413", async () => {
    await simulator.close();
    simulator = await ModelSimulator.start({ countTokens, maxBytes: 1_000 });
    const response = await post(ask("a".repeat(2_000)));
    expect([response.status, await response.json()]).toEqual([
      413,
      expect.objectContaining({ error: expect.objectContaining({ type: "request_too_large" }) }),
    ]);
  });

  it("for an unknown path is a 404", async () => {
    expect((await post({}, { path: "/embeddings" })).status).toBe(404);
  });
});

describe("a stream", () => {
  async function eventsOf(response: Response): Promise<string[]> {
    return [...(await response.text()).matchAll(/^event: (.+)$/gm)].map(([, name = ""]) => name);
  }

  it("has Anthropic's events in their order", async () => {
    simulator.script([{ reply: { thinking: "hm", text: "ok", calls: [{ name: "look" }] } }]);
    const names = await eventsOf(await post(ask("hi", { stream: true })));
    const block = ["content_block_start", "content_block_delta", "content_block_delta", "content_block_stop"];
    const text = ["content_block_start", "content_block_delta", "content_block_stop"];
    const [start, ...rest] = block;
    expect(names).toEqual([
      "message_start",
      start,
      "ping",
      ...rest,
      ...text,
      ...block,
      "message_delta",
      "message_stop",
    ]);
  });

  it("has the Responses API's events, numbered without a gap", async () => {
    simulator.script([{ reply: { text: "ok", calls: [{ name: "look" }] } }]);
    const response = await post({ model: "gpt-5.6", input: "hi", stream: true }, { path: "/responses" });
    const text = await response.text();
    const data = [...text.matchAll(/^data: (.+)$/gm)].map(
      ([, json = ""]) => JSON.parse(json) as { type: string; sequence_number: number },
    );
    expect(data.map(({ sequence_number }) => sequence_number)).toEqual(data.map((_, at) => at));
    expect(data.map(({ type }) => type.slice("response.".length))).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.done",
      "content_part.done",
      "output_item.done",
      "output_item.added",
      "function_call_arguments.delta",
      "function_call_arguments.done",
      "output_item.done",
      "completed",
    ]);
  });

  it.each([true, false])(
    "of Chat Completions ends with [DONE], with usage when asked for: %s",
    async (include_usage) => {
      simulator.script([{ reply: { text: "ok" } }]);
      const body = {
        model: "gpt-5.6",
        messages: [{ role: "user", content: "hi" }],
        stream: true,
        stream_options: { include_usage },
      };
      const text = await (await post(body, { path: "/chat/completions" })).text();
      expect(text.trimEnd().endsWith("data: [DONE]")).toBe(true);
      expect(text.includes('"prompt_tokens":2')).toBe(include_usage);
    },
  );

  it("is slow on request: pieces arrive one by one", async () => {
    simulator.script([{ reply: { text: "abcd", pieceSize: 1, delayMs: 20 } }]);
    const response = await post(ask("hi", { stream: true }));
    const chunks = await Array.fromAsync(response.body ?? []);
    expect(chunks.length).toBeGreaterThan(3);
  });

  it("numbers the Responses API's error after the events that were sent", async () => {
    simulator.script([{ reply: { text: "x".repeat(64), interrupt: { after: 2, by: "error" } } }]);
    const body = { model: "gpt-5.6", input: "hi", stream: true };
    const text = await (await post(body, { path: "/responses" })).text();
    const numbers = [...text.matchAll(/"sequence_number":(\d+)/g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(numbers.map((_, at) => at));
    expect(text).toMatch(/event: error[\s\S]*event: response\.failed/);
  });

  it("of a thousand calls and a million characters arrives whole", async () => {
    const calls = Array.from({ length: 1_000 }, (_, nth) => ({ name: "look", input: { nth } }));
    simulator.script([{ reply: { text: "x".repeat(1_000_000), calls, pieceSize: 1_000 } }]);
    const text = await (await post(ask("hi", { stream: true }))).text();
    expect(text.match(/event: content_block_start/g)).toHaveLength(1_001);
    expect(text).toContain("event: message_stop");
  });

  it("never splits a character", async () => {
    simulator.script([{ reply: { text: "a😀b😀", pieceSize: 1 } }]);
    const text = await (await post(ask("hi", { stream: true }))).text();
    expect([...text.matchAll(/"text":"([^"]+)"\}/g)].map(([, piece]) => piece)).toEqual(["a", "😀", "b", "😀"]);
  });

  it("a stream that stalls does not prevent the simulator from closing", async () => {
    simulator.script([{ reply: { text: "abcd", interrupt: { after: 0, by: "stall" } } }]);
    const response = await post(ask("hi", { stream: true }));
    const body = response.text();
    await Promise.all([simulator.close(), expect(body).rejects.toThrow()]);
    simulator = await ModelSimulator.start({ countTokens });
  });
});

it("an idle connection is not closed, so that a busy client can use it again", async () => {
  simulator.script([{ reply: { text: "ok" } }]);
  const response = await post(ask("Hello"));
  await response.text();
  // The response states after how many seconds the server closes idle connections.
  expect(response.headers.get("keep-alive")).toBeNull();
});
