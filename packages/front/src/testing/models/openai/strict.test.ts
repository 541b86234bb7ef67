/** Tests requests that OpenAI's two APIs reject, with their error texts. */
import type { JsonObject } from "@cairn/timeline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ModelSimulator } from "../model-simulator.ts";

let simulator: ModelSimulator;
beforeAll(async () => {
  simulator = await ModelSimulator.start({ countTokens: (text) => text.length });
  simulator.script([{ reply: { text: "ok" }, times: Number.POSITIVE_INFINITY }]);
});
afterAll(() => simulator.close());

async function send(path: string, body: JsonObject) {
  const headers = { "content-type": "application/json", authorization: "Bearer key" };
  const response = await fetch(`${simulator.baseUrl}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return {
    status: response.status,
    body: (await response.json()) as { error?: { message: string; code: string | null } },
  };
}

const breakpoint = { prompt_cache_breakpoint: { mode: "explicit" } };
const schema = { type: "object", properties: {} };
const png = "data:image/png;base64,AAAA";

describe("the Responses API", () => {
  const base: JsonObject = { model: "gpt-5.6", input: [{ role: "user", content: "hi" }] };
  const items = (...input: JsonObject[]): JsonObject => ({ ...base, input });
  const hi = { role: "user", content: "hi" };
  const call = (call_id: string): JsonObject => ({ type: "function_call", call_id, name: "look", arguments: "{}" });
  const output = (call_id: string): JsonObject => ({ type: "function_call_output", call_id, output: "seen" });
  const part = (value: JsonObject): JsonObject => items({ role: "user", content: [value] });
  const withTool = (tool: JsonObject): JsonObject => ({
    ...base,
    tools: [{ type: "function", name: "look", parameters: schema, ...tool }],
  });

  it.each<[string, JsonObject]>([
    ["a text as input", { ...base, input: "hi" }],
    ["marked parts", part({ type: "input_text", text: "a", ...breakpoint })],
    ["calls with their results", items(hi, call("a"), call("b"), output("a"), output("b"))],
    [
      "pictures and documents",
      items({
        role: "user",
        content: [
          { type: "input_image", image_url: png },
          { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA" },
        ],
      }),
    ],
    ["thinking before its call", items(hi, { type: "reasoning", id: "rs_1", summary: [] }, call("a"), output("a"))],
  ])("accepts %s", async (_, body) => {
    expect(await send("/responses", body)).toMatchObject({ status: 200 });
  });

  it.each<[string, JsonObject, string]>([
    ["an unknown field", { ...base, max_tokens: 5 }, "Unknown parameter: 'max_tokens'."],
    [
      "an unknown field of a part",
      part({ type: "input_text", text: "a", cache_control: {} }),
      "Unknown parameter: 'input[0].content[0].cache_control'.",
    ],
    ["no model", { input: "hi" }, "Missing required parameter: 'model'."],
    ["no input", { ...base, input: [] }, 'One of "input"'],
    ["a message without content", items({ role: "user", content: [] }), "empty array"],
    ["a call without a result", items(hi, call("a")), "No tool output found for function call a."],
    ["a result without a call", items(hi, output("a")), "No tool call found for function call output with call_id a."],
    ["a result before its call", items(hi, output("a"), call("a")), "No tool call found"],
    [
      "thinking without what it led to",
      items(hi, { type: "reasoning", id: "rs_1", summary: [] }),
      "without its required following item",
    ],
    ["an item that is not there", items({ type: "item_reference", id: "msg_x" }), "Item with id 'msg_x' not found"],
    ["a role it does not know", items({ role: "tool", content: "a" }), "input[0]"],
    [
      "a marker on what the model said",
      items({ role: "assistant", content: [{ type: "output_text", text: "a", ...breakpoint }] }),
      "prompt_cache_breakpoint",
    ],
    [
      "markers for a model without them",
      { ...part({ type: "input_text", text: "a", ...breakpoint }), model: "gpt-4.1" },
      "Unsupported parameter: 'input[0].content[0].prompt_cache_breakpoint'",
    ],
    [
      "two policies of retention",
      { ...base, prompt_cache_options: { mode: "explicit" }, prompt_cache_retention: "24h" },
      "cannot be used together",
    ],
    ["an unknown choice of tools", { ...withTool({}), tool_choice: "sometimes" }, "tool_choice"],
    [
      "a choice of a tool that is not there",
      { ...withTool({}), tool_choice: { type: "function", name: "jump" } },
      "not found in 'tools'",
    ],
    ["a schema that is no object's", withTool({ parameters: { type: "array" } }), "Invalid schema for function 'look'"],
    ["a strict schema that leaves things open", withTool({ strict: true }), "'additionalProperties' is required"],
    ["a tool's name with a dot", withTool({ name: "react.read" }), "tools[0].name"],
    [
      "a kind of picture it cannot read",
      part({ type: "input_image", image_url: "data:image/bmp;base64,AAAA" }),
      "unsupported image",
    ],
    ["a file without a name", part({ type: "input_file", file_data: "data:application/pdf;base64,AAAA" }), "filename"],
    ["options of a stream without one", { ...base, stream_options: {} }, "only allowed when 'stream' is enabled"],
    [
      "what the simulator leaves out",
      { ...base, previous_response_id: "resp_1" },
      "The simulator does not know previous_response_id.",
    ],
  ])("rejects %s", async (_, body, message) => {
    const answer = await send("/responses", body);
    expect(answer).toMatchObject({ status: 400, body: { error: { type: "invalid_request_error" } } });
    expect(answer.body.error?.message).toContain(message);
  });
});

describe("Chat Completions", () => {
  const hi = { role: "user", content: "hi" };
  const base: JsonObject = { model: "gpt-5.6", messages: [hi] };
  const talk = (...messages: JsonObject[]): JsonObject => ({ ...base, messages });
  const calls = (...ids: string[]): JsonObject => ({
    role: "assistant",
    content: null,
    tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "look", arguments: "{}" } })),
  });
  const result = (tool_call_id: string): JsonObject => ({ role: "tool", tool_call_id, content: "seen" });
  const withTool = (tool: JsonObject): JsonObject => ({
    ...base,
    tools: [{ type: "function", function: { name: "look", parameters: schema, ...tool } }],
  });

  it.each<[string, JsonObject]>([
    ["a system text in any place", talk(hi, { role: "system", content: "s" })],
    ["calls with their results", talk(hi, calls("a", "b"), result("b"), result("a"), hi)],
    [
      "pictures",
      talk({
        role: "user",
        content: [
          { type: "image_url", image_url: { url: png } },
          { type: "text", text: "a", ...breakpoint },
        ],
      }),
    ],
  ])("accepts %s", async (_, body) => {
    expect(await send("/chat/completions", body)).toMatchObject({ status: 200 });
  });

  it.each<[string, JsonObject, string]>([
    ["an unknown field", { ...base, instructions: "x" }, "Unknown parameter: 'instructions'."],
    ["no messages", { ...base, messages: [] }, "Invalid 'messages': empty array."],
    ["a call without a result", talk(hi, calls("a", "b"), result("a"), hi), "did not have response messages: b"],
    ["a call at the end", talk(hi, calls("a")), "did not have response messages: a"],
    ["a result without a call", talk(hi, result("a")), "must be a response to a preceeding message with 'tool_calls'"],
    [
      "a result after another message",
      talk(hi, calls("a"), result("a"), hi, result("a")),
      "must be a response to a preceeding",
    ],
    ["an assistant without anything", talk(hi, { role: "assistant", content: null }), "expected a string, got null"],
    ["a role it does not know", talk({ role: "model", content: "a" }), "messages[0].role"],
    ["the old limit for a new model", { ...base, max_tokens: 5 }, "Use 'max_completion_tokens' instead."],
    [
      "options of a stream without one",
      { ...base, stream_options: { include_usage: true } },
      "only allowed when 'stream' is enabled",
    ],
    ["an unknown choice of tools", { ...withTool({}), tool_choice: "any" }, "tool_choice"],
    [
      "a choice of a tool that is not there",
      { ...withTool({}), tool_choice: { type: "function", function: { name: "jump" } } },
      "not found in 'tools'",
    ],
    [
      "a schema that is no object's",
      withTool({ parameters: { type: "string" } }),
      "Invalid schema for function 'look'",
    ],
    [
      "a kind of picture it cannot read",
      talk({ role: "user", content: [{ type: "image_url", image_url: { url: "data:image/tiff;base64,AAAA" } }] }),
      "unsupported image",
    ],
  ])("rejects %s", async (_, body, message) => {
    const answer = await send("/chat/completions", body);
    expect(answer).toMatchObject({ status: 400, body: { error: { type: "invalid_request_error" } } });
    expect(answer.body.error?.message).toContain(message);
  });
});
