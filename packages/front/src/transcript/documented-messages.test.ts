/**
 * Tests imports of arrays in the forms that the documentation of the AI SDK, OpenAI and Anthropic shows and that
 * applications store: parallel calls, pictures, calls without results, content of one provider only.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { PNG } from "../../test/message-arrays.ts";
import { ProviderAgents } from "../../test/provider-agents.ts";
import { partsOf } from "../library/cairn.ts";

const MODELS = [
  "anthropic:claude-sonnet-4-5",
  "bedrock:us.anthropic.claude-sonnet-5",
  "openai:gpt-5.6",
  "openai-compatible:any",
  "google:gemini-4-argon",
];
const PICTURE = `data:image/png;base64,${PNG}`;

interface Documented {
  readonly format: string;
  readonly messages: readonly object[];
  readonly calls: number;
  /** The content of the next request. */
  readonly sent: readonly string[];
  readonly losses: readonly string[];
}

const DOCUMENTED: Readonly<Record<string, Documented>> = {
  "a chat of useChat with parallel calls, an approval that is open, and sources": {
    format: "ai-sdk",
    messages: [
      {
        id: "u1",
        role: "user",
        metadata: { createdAt: 1_760_000_000_000 },
        parts: [
          { type: "text", text: "Compare Rome and Oslo." },
          { type: "file", mediaType: "image/png", filename: "map.png", url: PICTURE },
        ],
      },
      {
        id: "a1",
        role: "assistant",
        parts: [
          { type: "step-start" },
          { type: "reasoning", text: "Two cities.", state: "done", providerMetadata: { openai: { itemId: "rs_1" } } },
          tool("climate", "c1", { state: "output-available", input: { city: "Rome" }, output: { degrees: 31 } }),
          tool("climate", "c2", { state: "output-error", input: { city: "Oslo" }, errorText: "No station." }),
          { ...tool("", "c3", { state: "output-available", input: {}, output: "fjords" }), ...dynamic("lookup") },
          tool("pay", "c4", { state: "output-denied", input: {}, approval: { approved: false, reason: "too dear" } }),
          tool("pay", "c5", { state: "approval-requested", input: {}, approval: { id: "p" } }),
          { type: "step-start" },
          { type: "source-url", sourceId: "s1", url: "https://example.com", title: "Climate" },
          { type: "data-progress", id: "d1", data: { percent: 80 } },
          { type: "text", text: "Rome is warmer.", state: "done" },
        ],
      },
    ],
    calls: 5,
    sent: ["Compare Rome and Oslo.", PNG, "31", "No station.", "lookup", "fjords", "too dear", "Rome is warmer."],
    losses: [
      "messages[1].parts[1] reasoning",
      "messages[1].parts[8] unsupported",
      "messages[1].parts[9] unsupported",
      "messages[1].parts[6] missing_result",
    ],
  },
  "a chat that version 4 of the AI SDK stored": {
    format: "ai-sdk",
    messages: [
      { id: "u", role: "user", content: "And Bergen?", parts: [{ type: "text", text: "And Bergen?" }] },
      {
        id: "a",
        role: "assistant",
        content: "Rain.",
        parts: [
          { type: "step-start" },
          invocation({ state: "result", step: 0, toolCallId: "c1", toolName: "climate", result: "wet" }),
          invocation({ state: "call", step: 0, toolCallId: "c2", toolName: "climate" }),
          { type: "text", text: "Rain." },
        ],
      },
    ],
    calls: 2,
    sent: ["And Bergen?", "climate", "wet", "Rain."],
    losses: ["messages[1].parts[2] missing_result"],
  },
  "the messages that the AI SDK sends to a model": {
    format: "ai-sdk",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text", text: "What is it?" }, modelFile(PNG), modelFile(data(PNG))] },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "A picture." },
          { type: "text", text: "I look." },
          { type: "tool-call", toolCallId: "c1", toolName: "look", input: { at: "left" } },
          { type: "tool-call", toolCallId: "c2", toolName: "look", input: { at: "right" } },
          { type: "tool-call", toolCallId: "c3", toolName: "zoom", input: {} },
          { type: "tool-call", toolCallId: "c4", toolName: "zoom", input: {} },
        ],
      },
      {
        role: "tool",
        content: [
          modelResult("c2", "look", { type: "json", value: { seen: "a lake" } }),
          modelResult("c1", "look", { type: "error-text", value: "It is blurred." }),
          modelResult("c3", "zoom", { type: "content", value: [{ type: "text", text: "closer" }, modelFile(PNG)] }),
          modelResult("c4", "zoom", { type: "execution-denied", reason: "enough" }),
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "A lake." }] },
    ],
    calls: 4,
    sent: ["What is it?", PNG, "I look.", "a lake", "It is blurred.", "closer", "enough", "A lake."],
    losses: ["messages[0] instructions", "messages[2].content[0] reasoning"],
  },
  "messages of chat completions with a call that was cut off, a custom tool and an old function": {
    format: "openai-chat",
    messages: [
      { role: "developer", content: "Be brief." },
      {
        role: "user",
        name: "ada",
        content: [
          { type: "text", text: "What is in it?" },
          { type: "image_url", image_url: { url: PICTURE, detail: "high" } },
        ],
      },
      {
        role: "assistant",
        content: null,
        refusal: null,
        annotations: [],
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "climate", arguments: '{"city":"Paris"}' } },
          { id: "call_2", type: "function", function: { name: "climate", arguments: '{"city":"Bog' } },
          { id: "call_3", type: "custom", custom: { name: "run_code", input: "print(7)" } },
        ],
      },
      { role: "tool", tool_call_id: "call_3", content: [{ type: "text", text: "seven" }] },
      { role: "tool", tool_call_id: "call_1", content: "mild" },
      { role: "assistant", content: null, function_call: { name: "old_search", arguments: "{}" } },
      { role: "function", name: "old_search", content: "found" },
      { role: "assistant", content: [{ type: "text", text: "A lake." }] },
    ],
    calls: 4,
    sent: ["What is in it?", PNG, "Paris", "mild", "print(7)", "seven", "old_search", "found", "A lake."],
    losses: [
      "messages[0] instructions",
      "messages[2].tool_calls[1] bad_input",
      "messages[2].tool_calls[2] bad_input",
      "messages[2].tool_calls[1] missing_result",
    ],
  },
  "input and output items of responses, with tools that the provider ran": {
    format: "openai-responses",
    messages: [
      { role: "user", content: "Draw my horoscope." },
      { id: "rs_1", type: "reasoning", summary: [], encrypted_content: "sealed" },
      functionCall("call_1", "horoscope", '{"sign":"Aquarius"}'),
      functionCall("call_2", "horoscope", '{"sign":"Leo"}'),
      { type: "function_call_output", call_id: "call_1", output: '{"says":"otters"}' },
      { id: "ig_1", type: "image_generation_call", status: "completed", result: PNG },
      { id: "ws_1", type: "web_search_call", status: "completed", action: { type: "search", query: "stars" } },
      {
        id: "msg_1",
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "You will meet otters.", annotations: [] }],
      },
      { role: "user", content: [{ type: "input_image", file_id: "file-1" }] },
      { type: "shell_call", call_id: "call_3", action: { commands: ["ls stars"] }, status: "completed" },
      { type: "computer_call", call_id: "call_4", action: { type: "click", x: 7, y: 8 }, pending_safety_checks: [] },
      { type: "shell_call_output", call_id: "call_3", output: [{ stdout: "sirius.txt", outcome: { type: "exit" } }] },
      { type: "computer_call_output", call_id: "call_4", output: { type: "computer_screenshot", image_url: PICTURE } },
      { type: "apply_patch_call", call_id: "call_5", operation: { type: "create_file", path: "moon.txt", diff: "+1" } },
      { type: "apply_patch_call_output", call_id: "call_5", status: "failed", output: "The disk is full." },
      { type: "code_interpreter_call", id: "ci_1", code: "6 * 7", outputs: [{ type: "logs", logs: "42" }] },
      { type: "compaction", id: "cmp_1", encrypted_content: "sealed" },
      { type: "item_reference", id: "msg_0" },
    ],
    calls: 7,
    sent: [
      ...["Draw my horoscope.", "Aquarius", "otters", "Leo", "You will meet otters."],
      ...["ls stars", "sirius.txt", "click", PNG, "moon.txt", "The disk is full.", "6 * 7", "42"],
    ],
    losses: [
      "messages[1] reasoning",
      "messages[6] unsupported",
      "messages[8].content[0] unsupported",
      "messages[16] unsupported",
      "messages[17] unsupported",
      "messages[3] missing_result",
    ],
  },
  "messages of Anthropic with parallel calls, a failed call, a picture as a result, and a search by the provider": {
    format: "anthropic",
    messages: [
      {
        role: "user",
        content: [
          { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
          {
            type: "document",
            title: "Meadow",
            source: { type: "text", media_type: "text/plain", data: "Green grass." },
          },
          { type: "document", title: "Hill", source: { type: "content", content: [{ type: "text", text: "A hut." }] } },
          {
            type: "search_result",
            source: "https://example.com/hill",
            title: "Hills",
            content: [{ type: "text", text: "Hills are steep." }],
          },
          { type: "text", text: "Where is it?", cache_control: { type: "ephemeral" } },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "sig" },
          { type: "text", text: "I look." },
          { type: "tool_use", id: "toolu_1", name: "map", input: { zoom: 3 } },
          { type: "tool_use", id: "toolu_2", name: "clock", input: {} },
          { type: "tool_use", id: "toolu_3", name: "camera", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "toolu_1", content: "north of the lake" },
          { type: "tool_result", tool_use_id: "toolu_2", is_error: true, content: "The clock stopped." },
          { type: "tool_result", tool_use_id: "toolu_3", content: [anthropicPicture()] },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "server_tool_use", id: "srv_1", name: "web_search", input: { query: "lake" } },
          { type: "web_search_tool_result", tool_use_id: "srv_1", content: [searchResult()] },
          { type: "text", text: "At a lake.", citations: [] },
          { type: "tool_use", id: "toolu_4", name: "map", input: {} },
        ],
      },
    ],
    calls: 5,
    sent: [
      ...["Where is it?", PNG, "Hills are steep.", "https://example.com/hill", "north of the lake"],
      ...["The clock stopped.", "web_search", "Lakes", "At a lake."],
    ],
    losses: ["messages[1].content[0] reasoning", "messages[3].content[3] missing_result"],
  },
};

let bench: ProviderAgents;
beforeAll(async () => {
  bench = await ProviderAgents.open(MODELS);
});
afterAll(() => bench[Symbol.asyncDispose]());

it.each(Object.entries(DOCUMENTED))("%s: goes on at every provider, and lists what is lost", async (_, documented) => {
  const { format, messages, calls, sent, losses } = documented;
  for (const model of MODELS) {
    const imported = await bench.app.cairn.import(JSON.parse(JSON.stringify(messages)), { agent: model });
    expect(imported.format).toBe(format);
    expect(imported.losses.map(({ at, code }) => `${at} ${code}`)).toEqual(losses);
    const before = bench.simulator.requests.length;
    const run = await imported.conversation.send("Go on.");
    expect(await run.result).toMatchObject({ exit: "complete", text: "Going on." });
    // The provider of each model refuses a call without a result, and a result without a call.
    const requests = bench.simulator.requests.slice(before);
    expect(requests.map(({ refusal }) => refusal)).toEqual([null]);
    for (const content of sent) expect(requests[0]?.bytes).toContain(content);
    const { store } = partsOf(bench.app.cairn);
    const key = { ...imported.conversation.scope, conversation: imported.conversation.id };
    expect((await store.load(key)).state.unsettled.size).toBe(0);
    const events = await store.readEvents(key);
    expect(events.filter(({ event }) => event.kind === "call.settled")).toHaveLength(calls);
  }
});

function tool(name: string, toolCallId: string, state: object): object {
  return { type: `tool-${name}`, toolCallId, ...state };
}

function dynamic(toolName: string): object {
  return { type: "dynamic-tool", toolName };
}

function invocation(call: object): object {
  return { type: "tool-invocation", toolInvocation: { args: { city: "Bergen" }, ...call } };
}

function modelFile(content: unknown): object {
  return { type: "file", data: content, mediaType: "image/png", filename: "a.png" };
}

function data(base64: string): object {
  return { type: "data", data: base64 };
}

function modelResult(toolCallId: string, toolName: string, output: object): object {
  return { type: "tool-result", toolCallId, toolName, output };
}

function functionCall(call_id: string, name: string, args: string): object {
  return { id: `fc_${call_id}`, type: "function_call", status: "completed", call_id, name, arguments: args };
}

function anthropicPicture(): object {
  return { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } };
}

function searchResult(): object {
  return { type: "web_search_result", url: "https://example.com", title: "Lakes", encrypted_content: "sealed" };
}
