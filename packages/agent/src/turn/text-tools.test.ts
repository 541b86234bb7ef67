/** Tests whole turns of models that call tools in text, on a server that refuses tools. */
import { TurnBench } from "@cairn/testkit/turns";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { AgentDefinition } from "../definition/define-agent.ts";
import { reactTools } from "../react/react-tools.ts";
import { recordedRequests } from "../receipt/recorded-requests.ts";
import { resolveModel } from "../resolve/resolve-model.ts";
import { defineTool } from "../tool/tool.ts";

const find = defineTool({
  id: "shop.find",
  description: "Finds.",
  params: z.object({ what: z.string() }),
  run: async ({ what }) => ({ ok: true, ret: what }),
});

const modelAt = (url: string, env: Readonly<Record<string, string>> = {}, id = "gemma3:4b") =>
  resolveModel(`openai-compatible:${id}`, { CAIRN_MODEL_BASE_URL: url, CAIRN_MODEL_API_KEY: "k", ...env });

function open(agent: Partial<AgentDefinition> = {}, id?: string, env?: Readonly<Record<string, string>>) {
  return TurnBench.open({ model: (url) => modelAt(url, env, id), simulator: { server: "toolless" }, agent });
}

const finding = (what: string) => ({ reply: { calls: [{ name: "shop__find", input: { what } }] } });
const done = { reply: { text: "Done." } };
const complete = { end: { exit: "complete", text: "Done." } };

async function resetsOf(bench: TurnBench): Promise<string[][]> {
  const resets: string[][] = [];
  for await (const { receipt } of recordedRequests(bench.store, bench.key))
    resets.push(receipt.resets.map(({ cause }) => cause));
  return resets;
}

const noticesOf = async (bench: TurnBench) =>
  (await bench.blocks()).flatMap(({ type, text = "" }) => (type === "react.notice" ? [JSON.parse(text).code] : []));

describe("a model that calls tools in text", () => {
  it("streams notes, the text of a file and the answer to the user", async () => {
    await using bench = await open();
    const content = `# Report\n\n${'He said: "so" \\ 😀\n'.repeat(5)}`;
    const input = { path: "report.md", channel: "canvas", content };
    bench.simulator.script([
      { reply: { text: "Writing.", calls: [{ name: "react__write", input }], pieceSize: 3 } },
      { reply: { text: "All done, as you wished.", pieceSize: 5 } },
    ]);
    await bench.turn("A report, please.");
    const shown = (kind: string) => {
      const deltas = bench.signals.flatMap((signal) => (signal.type === "delta" && signal.kind === kind ? signal : []));
      return [...Map.groupBy(deltas, ({ stream }) => stream).values()].map((each) => ({
        pieces: each.length,
        path: each[0]?.path,
        text: each.map(({ text }) => text).join(""),
      }));
    };
    expect(shown("write")).toEqual([{ pieces: expect.any(Number), path: "fi:turn_1.files/report.md", text: content }]);
    expect(shown("write")[0]?.pieces).toBeGreaterThan(20);
    expect(shown("say").map(({ text }) => text.trim())).toEqual(["Writing.", "All done, as you wished."]);
    expect((await bench.blocks()).find(({ type }) => type === "react.notes")?.text).toBe("Writing.");
  });

  it("is told what is wrong with a call, and asked again", async () => {
    await using bench = await open({ tools: [find] });
    bench.simulator.script([
      { reply: { text: '<tool_call>{"name": "shop.find", "arguments": {"what": "tea"}}</tool_call>' } },
      { reply: { calls: [{ name: "shop__lose", input: {} }] } },
      { reply: { calls: [{ name: "shop__find", rawInput: "I want tea" }] } },
      finding("tea"),
      done,
    ]);
    expect(await bench.turn("Find tea.")).toMatchObject(complete);
    expect(await noticesOf(bench)).toEqual([
      "protocol_violation.call_without_code",
      "protocol_violation.unknown_tool",
      "protocol_violation.bad_json",
    ]);
  });

  it("may end its answer with a call in another form, if it insists", async () => {
    await using bench = await open({ tools: [find] });
    const text = 'Write it so: {"name": "shop.find"}';
    bench.simulator.script([{ reply: { text }, times: 4 }]);
    expect(await bench.turn("How do I call it?")).toMatchObject({ end: { exit: "complete", text } });
  });

  it("is asked for the rest of a call that was cut off", async () => {
    await using bench = await open({ tools: [find] });
    bench.simulator.script([
      {
        reply: (request) => ({
          text: `<call-${codeIn(request.system)} shop.find>\n{"what": "green t`,
          truncated: true,
        }),
      },
      { reply: { text: 'green tea"}' } },
      done,
    ]);
    expect(await bench.turn("Find tea.")).toMatchObject(complete);
    const call = (await bench.blocks()).find(({ type }) => type === "react.tool.call");
    expect(JSON.parse(call?.text ?? "{}").params).toEqual({ what: "green tea" });
  });

  it("is told in words which tool to call, and calls no tool if none is allowed", async () => {
    await using bench = await open({ tools: [find] });
    bench.simulator.script([finding("tea"), done, finding("tea"), done]);
    await bench.say("Find tea.", "turn", { tool_choice: { tool: "shop.find" } });
    expect(await bench.run()).toMatchObject(complete);
    await bench.say("Only talk.", "turn", { tool_choice: "none" });
    expect(await bench.run()).toMatchObject(complete);
    const asked = bench.simulator.requests.map(({ request }) => request?.lastText ?? "");
    expect(asked.map((text) => /(?:Call|Do not call) [^\n]*$/.exec(text)?.[0] ?? "")).toEqual([
      "Call shop.find now.",
      "",
      "Do not call a tool now. Answer the user.",
      "Do not call a tool now. Answer the user.",
    ]);
    expect(await noticesOf(bench)).toEqual(["protocol_violation.no_calls_allowed"]);
  });
});

describe("tools in the system text", () => {
  it("count as tools: a change of the text is declared as a change of the tools, and nothing else changes the prefix", async () => {
    await using bench = await open({ tools: [find] });
    bench.simulator.script([finding("a"), done, done, done]);
    await bench.turn("One.");
    await bench.say("Two.");
    await bench.run({ agent: { ...bench.agent, tools: [...reactTools(), find] } });
    await bench.say("Three.");
    await bench.run({ agent: { ...bench.agent, tools: [find, ...reactTools()] } });
    expect(await resetsOf(bench)).toEqual([[], [], ["tools_changed"], []]);
    const systems = bench.simulator.requests.map(({ request }) => request?.system);
    expect([systems[0] === systems[1], systems[1] === systems[2], systems[2] === systems[3]]).toEqual([
      ...[true, false, true],
    ]);
  });

  it("are chosen by the registry, by a setting and by the agent, and a change is declared", async () => {
    await using bench = await open({ tools: [find] }, "any", { CAIRN_MODEL_PROTOCOL: "text" });
    bench.simulator.script([done, done]);
    await bench.turn("One.");
    const native = await modelAt(bench.simulator.baseUrl, {}, "any");
    expect(native.protocol).toBe("native");
    await bench.say("Two.");
    expect(await bench.run({ agent: { ...bench.agent, model: native } })).toMatchObject({
      end: { exit: "error", text: expect.stringMatching(/does not support tools.* Set CAIRN_MODEL_PROTOCOL=text/) },
    });
    await bench.say("Three.");
    expect(await bench.run({ agent: { ...bench.agent, model: native, protocol: "text" } })).toMatchObject(complete);
    await expect(modelAt("http://127.0.0.1", { CAIRN_MODEL_PROTOCOL: "telepathy" })).rejects.toThrow(
      "CAIRN_MODEL_PROTOCOL must be native or text, not telepathy.",
    );
  });

  it("are sent to a fallback that calls none, in the middle of a turn", async () => {
    await using bench = await TurnBench.open({ agent: { tools: [find] } });
    await using other = await open({ tools: [find] });
    bench.simulator.script([finding("tea"), { reply: { fault: "status", status: 401 } }]);
    other.simulator.script([finding("milk"), done]);
    await bench.say("Find tea and milk.");
    expect(await bench.run({ agent: { ...bench.agent, fallback: [other.agent.model] } })).toMatchObject(complete);
    expect(await resetsOf(bench)).toEqual([[], ["tools_changed", "lowering_changed", "model_changed"], []]);
  });
});

function codeIn(system: string): string {
  return /<call-(\w+) /.exec(system)?.[1] ?? "";
}
