/** Tests that messages of other systems become conversations that can be continued with every provider. */
import { growthOnDoubling } from "@cairn/testkit/growth";
import { costlyRuns } from "@cairn/testkit/runs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENCODERS, PNG, plainMessages } from "../../test/message-arrays.ts";
import { Application } from "../../test/open-application.ts";
import { ProviderAgents } from "../../test/provider-agents.ts";
import { agent } from "../define/agent.ts";
import { partsOf } from "../library/cairn.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { importMessages } from "./import-messages.ts";
import { readMessages } from "./message-format.ts";
import { TranscriptBuilder } from "./transcript-builder.ts";

const MODELS = ["anthropic:claude-sonnet-4-5", "openai:gpt-5.6", "openai-compatible:any", "google:gemini-4-argon"];
let bench: ProviderAgents;
beforeAll(async () => {
  bench = await ProviderAgents.open(MODELS);
});
afterAll(() => bench[Symbol.asyncDispose]());

describe.each(Object.entries(ENCODERS))("messages of %s", (format, encode) => {
  it("can always be imported, with a result for every call, and continued with every provider", async () => {
    let nth = 0;
    await fc.assert(
      fc.asyncProperty(plainMessages, async (plain) => {
        const model = MODELS[nth++ % MODELS.length];
        const messages = JSON.parse(JSON.stringify(encode(plain)));
        const imported = await bench.app.cairn.import(messages, { ...(model === undefined ? {} : { agent: model }) });
        const before = bench.simulator.requests.length;
        const run = await imported.conversation.send("Go on.");
        expect(await run.result).toMatchObject({ exit: "complete", text: "Going on." });
        // The provider of each model refuses a call without a result, and a result without a call.
        expect(bench.simulator.requests.slice(before).map(({ refusal }) => refusal)).toEqual([null]);
        const calls = plain.flatMap((message) => (message.from === "assistant" ? message.calls : []));
        const { store } = partsOf(bench.app.cairn);
        const key = { ...imported.conversation.scope, conversation: imported.conversation.id };
        expect((await store.load(key)).state.unsettled.size).toBe(0);
        const events = await store.readEvents(key);
        expect(events.filter(({ event }) => event.kind === "call.settled").length).toBe(calls.length);
        const lost = (code: string) => imported.losses.filter((loss) => loss.code === code).length;
        // A result without a call may have the id of another call that lacks a result, and then becomes its result.
        const strays = format === "ai-sdk" ? [] : plain.filter(({ from }) => from === "stray");
        const results = calls.filter(({ output }) => output !== null).length + strays.length;
        expect(lost("missing_result")).toBe(calls.length - (results - lost("unmatched_result")));
        const links = plain.filter((message) => message.from === "user" && message.picture === "link");
        expect(lost("link")).toBe(links.length);
      }),
      { numRuns: Math.ceil(costlyRuns / 12) },
    );
  });

  it("are recognised", async () => {
    const plain = [
      { from: "user", text: "Weather?", picture: "data" },
      {
        from: "assistant",
        text: "Looking.",
        calls: [{ id: "c1", name: "weather", input: { city: "Rome" }, output: "sunny" }],
      },
      { from: "assistant", text: "It is sunny.", calls: [] },
    ] as const;
    const imported = await bench.app.cairn.import(encode(plain));
    expect(imported).toMatchObject({ format, turns: 1 });
    expect(imported.losses.filter(({ code }) => code !== "reasoning")).toEqual([]);
    const before = bench.simulator.requests.length;
    await (await imported.conversation.send("And tomorrow?")).result;
    // The picture, the call and its result are on the wire.
    const sent = bench.simulator.requests[before]?.bytes ?? "";
    for (const content of [PNG, "Looking.", "weather", "Rome", "sunny", "It is sunny."])
      expect(sent).toContain(content);
  });
});

/** The view of the next request, after an import. */
async function viewAfter(messages: unknown) {
  const model = scriptedModel([{ say: "Yes." }]);
  await using own = await Application.open([agent({ name: "a", model, instructions: "Help." })]);
  const { conversation, losses } = await own.cairn.import(messages);
  const run = await conversation.send("Go on.");
  await run.result;
  const texts = model.requests[0]?.view.messages().map((each) => (each.type === "text" ? each.text : each.type));
  return { text: texts?.join("") ?? "", losses, messages: await conversation.messages() };
}

const at = (losses: readonly { readonly at: string; readonly code: string }[]) =>
  losses.map((loss) => `${loss.at} ${loss.code}`);

it("parallel calls are one decision, and their results stand with their calls in any order", async () => {
  const call = (id: string, city: string) => ({
    id,
    type: "function",
    function: { name: "get_weather", arguments: `{"city":"${city}"}` },
  });
  const { text, losses } = await viewAfter([
    { role: "system", content: "You are helpful." },
    { role: "user", content: "What is the weather like in Paris and Bogotá?" },
    { role: "assistant", content: null, tool_calls: [call("call_1", "Paris"), call("call_2", "Bogotá")] },
    { role: "tool", tool_call_id: "call_2", content: "18" },
    { role: "tool", tool_call_id: "call_1", content: "14" },
    { role: "assistant", content: "14 and 18 degrees." },
  ]);
  expect(at(losses)).toEqual(["messages[0] instructions"]);
  expect(losses[0]?.message).toContain("You are helpful.");
  const paris = text.indexOf('Paris"}'),
    bogota = text.indexOf('Bogotá"}');
  expect(paris).toBeGreaterThan(0);
  expect(bogota).toBeGreaterThan(paris);
  expect(text.indexOf("\n14")).toBeGreaterThan(bogota);
  expect(text.indexOf("\n18")).toBeGreaterThan(text.indexOf("\n14"));
});

it("results of parallel calls with equal ids, or without ids, stand with their calls in order", async () => {
  const results = async (id: string) => {
    const call = (city: string) => ({
      id,
      type: "function",
      function: { name: "get", arguments: `{"city":"${city}"}` },
    });
    const { text, losses } = await viewAfter([
      { role: "user", content: "Weather?" },
      { role: "assistant", content: null, tool_calls: [call("Paris"), call("Rome")] },
      { role: "tool", tool_call_id: id, content: "14" },
      { role: "tool", tool_call_id: id, content: "25" },
      { role: "assistant", content: "14 and 25 degrees." },
    ]);
    expect(text.indexOf("\n14")).toBeGreaterThan(0);
    expect(text.indexOf("\n25")).toBeGreaterThan(text.indexOf("\n14"));
    return at(losses);
  };
  expect(await results("same")).toEqual([]);
  expect(await results("")).toEqual(["messages[2] missing_id", "messages[3] missing_id"]);
});

it("the output of a call of a chat interface stays with its call, also when ids are equal", async () => {
  const tool = { type: "tool-get", toolCallId: "same", input: {} };
  const parts = [
    { ...tool, state: "input-available" },
    { ...tool, state: "output-available", output: 14 },
  ];
  const { losses } = await viewAfter([
    { id: "1", role: "user", parts: [{ type: "text", text: "Weather?" }] },
    { id: "2", role: "assistant", parts },
  ]);
  expect(at(losses)).toEqual(["messages[1].parts[0] missing_result"]);
});

it("a role that is not a text is reported as it is", () => {
  const builder = new TranscriptBuilder();
  builder.loseInstructions("messages[0]", "Be brief.", { toString: 1 });
  expect(builder.finish().losses[0]?.message).toContain('A {"toString":1} message');
});

it("a picture in a result is kept, and a failed call stays failed", async () => {
  const source = { type: "base64", media_type: "image/png", data: PNG };
  const { text, losses } = await viewAfter({
    system: "Be brief.",
    messages: [
      { role: "user", content: "Take a screenshot." },
      { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "screenshot", input: {} }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "toolu_1", content: [{ type: "image", source }] }],
      },
      { role: "assistant", content: [{ type: "tool_use", id: "toolu_2", name: "click", input: { x: 1 } }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "toolu_2", is_error: true, content: "No such button" },
          { type: "text", text: "Try again." },
        ],
      },
    ],
  });
  expect(at(losses)).toEqual(["messages instructions"]);
  expect(text).toContain("image");
  expect(text).toContain("Status: error tool_error: No such button");
  expect(text).toContain("Try again.");
});

it("calls of a chat interface keep errors, denials and missing outputs apart", async () => {
  const tool = (toolCallId: string, rest: object) => ({
    type: "tool-refund",
    toolCallId,
    input: { order: "A1" },
    ...rest,
  });
  const { text, losses, messages } = await viewAfter([
    { id: "1", role: "user", parts: [{ type: "text", text: "Refund A1" }] },
    {
      id: "2",
      role: "assistant",
      metadata: { model: "x" },
      parts: [
        { type: "step-start" },
        { type: "reasoning", text: "They want money.", state: "done" },
        tool("a", { state: "output-error", errorText: "Timeout" }),
        tool("b", { state: "output-denied", approval: { id: "p", approved: false, reason: "Too much" } }),
        tool("c", { state: "approval-requested", approval: { id: "q" } }),
        { type: "source-url", sourceId: "s", url: "https://example.com" },
        { type: "step-start" },
        { type: "text", text: "I could not." },
      ],
    },
  ]);
  expect(at(losses)).toEqual([
    "messages[1].parts[1] reasoning",
    "messages[1].parts[5] unsupported",
    "messages[1].parts[4] missing_result",
  ]);
  expect(text).toContain("Status: error tool_error: Timeout");
  expect(text).toContain("did not agree to this call. Too much");
  expect(text).toContain("Status: error result_missing");
  // Only people see reasoning.
  expect(text).not.toContain("They want money.");
  expect(messages[1]).toMatchObject({ text: "I could not." });
});

it("calls that the provider ran itself, and pictures it made, are taken from items", async () => {
  const { text, losses } = await viewAfter({
    instructions: "Be brief.",
    input: [
      { role: "user", content: "Draw a cat." },
      { type: "image_generation_call", id: "ig_1", status: "completed", result: PNG },
      { type: "mcp_call", id: "mcp_1", name: "roll", arguments: '{"dice":"2d4"}', output: "5", server_label: "dice" },
      { type: "web_search_call", id: "ws_1", status: "completed" },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Here it is.", annotations: [] }] },
    ],
  });
  expect(at(losses)).toEqual(["input instructions", "input[3] unsupported"]);
  for (const content of ["image", "2d4", "\n5", "Here it is."]) expect(text).toContain(content);
});

it("an import runs nothing: the last message without an answer waits for the next message", async () => {
  const model = scriptedModel([{ say: "Here." }]);
  await using own = await Application.open([agent({ name: "a", model, instructions: "Help." })]);
  const { conversation } = await own.cairn.import([{ role: "user", content: "Anybody there?" }], { id: "c1" });
  expect(await conversation.resume()).toBeNull();
  expect(model.requests).toEqual([]);
  const { text } = await (await conversation.send("Hello?")).result;
  expect(text).toBe("Here.");
  await expect(own.cairn.import([{ role: "user", content: "x" }], { id: "c1" })).rejects.toMatchObject({
    code: "conversation_exists",
  });
});

it.each([
  ["no list", "hello"],
  ["an empty list", []],
  ["a list of system messages", [{ role: "system", content: "x" }]],
])("%s is refused", async (_, given) => {
  await expect(bench.app.cairn.import(given)).rejects.toMatchObject({ code: "bad_request" });
});

const callsInOneStep = (count: number) => [
  { role: "user", content: "Look." },
  {
    role: "assistant",
    content: null,
    tool_calls: Array.from({ length: count }, () => ({ id: "same", function: { name: "look", arguments: "{}" } })),
  },
];

it("messages are read in linear time, even if all calls have the same id", () => {
  expect(growthOnDoubling(callsInOneStep, (messages) => readMessages(messages), 5_000)).toBeLessThan(3);
});

it("an import pauses between the calls of a step, and ends when it is aborted", async () => {
  // The conversation is not stored before all calls are written.
  const store = { importConversation: () => Promise.reject(new Error("It was stored.")) };
  const key = { tenant: "local", project: "local", user: "local", conversation: "paused" };
  const abort = new AbortController();
  let pauses = 0;
  const pause = async () => {
    if (++pauses === 15) abort.abort(new Error("The client left."));
  };
  const parts = { ...partsOf(bench.app.cairn), store };
  const importing = importMessages(parts, callsInOneStep(1_000), { key, pause, signal: abort.signal });
  await expect(importing).rejects.toThrow("The client left.");
  expect(pauses).toBe(15);
});

it("an input that is nested too deeply stays text", async () => {
  const deep = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  const { losses } = await bench.app.cairn.import([
    { role: "user", content: "Look." },
    { role: "assistant", tool_calls: [{ id: "c", function: { name: "look", arguments: deep } }] },
    { role: "tool", tool_call_id: "c", content: "Seen." },
  ]);
  expect(losses.map(({ code }) => code)).toEqual(["bad_input"]);
});

it("storage for a long line is reserved before the line is stored", async () => {
  const reserved: number[] = [];
  const room = { reserve: async (_: unknown, bytes: number) => void reserved.push(bytes) };
  const key = { tenant: "local", project: "local", user: "local", conversation: "reserved" };
  const messages = [{ role: "user", content: "a".repeat(3_000_000) }];
  await importMessages({ ...partsOf(bench.app.cairn), room }, messages, { key });
  expect(Math.max(...reserved)).toBeGreaterThan(2_000_000);
});
