/** Tests what a follower of a turn receives while the model writes. */
import { simulatorEnv } from "@cairn/testkit/models";
import { TurnBench } from "@cairn/testkit/turns";
import { makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { reactTools } from "../react/react-tools.ts";
import { resolveModel } from "../resolve/resolve-model.ts";
import { defineTool } from "../tool/tool.ts";
import type { TurnSignal } from "./state/listener.ts";
import { readStreamName } from "./state/stream-name.ts";

type Delta = Extract<TurnSignal, { type: "delta" }>;

const deltas = (bench: TurnBench, kind: Delta["kind"]) =>
  bench.signals.flatMap((signal) => (signal.type === "delta" && signal.kind === kind ? signal : []));
const joined = (pieces: readonly Delta[]) => pieces.map(({ text }) => text).join("");
const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
};
const write = (content: string, path = "report.md", channel = "canvas") => ({
  name: "react__write",
  input: { path, channel, content },
});

/** A tool that adds source 1 to the pool. */
const LINKED = defineTool({
  id: "shop.find",
  description: "Finds a source.",
  params: z.object({}),
  run: async () => (scribe) => {
    scribe.mergeSources([{ source_type: "web", url: "https://example.com/a", title: "A" }]);
    scribe.result("found", "text/plain");
  },
});

const RUN = defineTool({
  id: "shop.run",
  description: "Runs code.",
  params: z.object({ name: z.string(), code: z.string() }),
  streams: { param: "code", kind: "code" },
  run: async ({ code }) => ({ ok: true, ret: code.length }),
});

it("code is sent back in the parameter that the model wrote it in", async () => {
  const query = defineTool({
    id: "shop.query",
    description: "Runs a query.",
    params: z.object({ sql: z.string() }),
    streams: { param: "sql", kind: "code" },
    run: async ({ sql }) => ({ ok: true, ret: sql.length }),
  });
  await using bench = await TurnBench.open({
    model: (url) => resolveModel("anthropic:claude-sonnet-5", simulatorEnv(url)),
    agent: { tools: [query] },
  });
  bench.simulator.script([
    { reply: { calls: [{ name: "shop__query", input: { sql: "select 1" } }] } },
    { reply: { text: "One." } },
  ]);
  await bench.turn("Count");
  expect(bench.simulator.requests[1]?.bytes).toContain('"name":"shop__query","input":{"sql":"select 1"}}');
});

describe("text that a call is about to write", () => {
  it("is shown while the model writes it, with its path and with citations replaced", async () => {
    await using bench = await TurnBench.open({ agent: { tools: [...reactTools(), LINKED] } });
    const content = 'He said: "so [[S:1]]" 😀\n'.repeat(20);
    bench.simulator.script([
      { reply: { calls: [{ name: "shop__find", input: {} }] } },
      { reply: { text: "Writing.", calls: [write(content)], pieceSize: 3 } },
      { reply: { text: "Done." } },
    ]);
    await bench.turn("A report");
    const written = deltas(bench, "write");
    expect(written.length).toBeGreaterThan(20);
    expect(joined(written)).toBe(content.replaceAll("[[S:1]]", "[A](https://example.com/a)"));
    expect(written.every(({ text }) => text.isWellFormed())).toBe(true);
    expect(new Set(written.map(({ path }) => path))).toEqual(new Set(["fi:turn_1.files/report.md"]));
    let offset = 0;
    for (const piece of written) {
      expect(piece.offset).toBe(offset);
      offset += piece.text.length;
    }
    const landed = bench.signals.findIndex(
      (signal) => signal.type === "events" && signal.streams.includes(written[0]?.stream ?? ""),
    );
    const settled = bench.signals[landed];
    expect(settled?.type === "events" && settled.events.some(({ kind }) => kind === "call.settled")).toBe(true);
    expect((await bench.blocks()).find(({ path }) => path === "fi:turn_1.files/report.md")?.text).toBe(content);
    expect(await bench.store.openStreams(bench.key)).toEqual([]);
  });

  it("is stored in the shown form, for a follower that joins while it is being written", async () => {
    await using bench = await TurnBench.open();
    const content = "All of it, at length. ".repeat(10);
    bench.simulator.script([
      { reply: { calls: [write(content, "notes/a.md")], pieceSize: 10, interrupt: { after: 17, by: "stall" } } },
    ]);
    await bench.say("Go");
    const running = bench.run({ now: spreadOut() });
    await until(() => deltas(bench, "write").length > 8);
    const [open] = await bench.store.openStreams(bench.key);
    expect(readStreamName(open?.stream ?? "")).toEqual({
      turnId: "turn_1",
      kind: "write",
      path: "fi:turn_1.files/notes/a.md",
    });
    expect(open?.text).not.toBe("");
    expect(joined(deltas(bench, "write")).startsWith(open?.text ?? "-")).toBe(true);
    await bench.append(makeEvent("cancel.requested", { key: "stop", ts: "2026-02-09T10:00:01Z" }));
    expect(await running).toMatchObject({ end: { exit: "cancelled" } });
    expect(await bench.store.openStreams(bench.key)).toEqual([]);
  });

  it("is not shown when any parameter of the call makes it internal, and not kept when the turn is cancelled", async () => {
    const note = "[S] Only the model reads this. ".repeat(8);
    const inputs = [
      { path: "n.md", channel: "internal", content: note },
      { path: "n.md", content: note, channel: "internal" },
      { content: note, path: "n.md", channel: "internal" },
    ];
    for (const input of inputs) {
      await using bench = await TurnBench.open();
      const call = { name: "react__write", input };
      bench.simulator.script([
        { reply: { text: "A moment.", calls: [call], pieceSize: 10 } },
        { reply: { text: "So." } },
      ]);
      await bench.turn("Remember it");
      expect(deltas(bench, "write")).toEqual([]);
      const pieces = Math.floor(JSON.stringify(input).length / 10) - 3;
      bench.simulator.script([
        { reply: { text: "Again.", calls: [call], pieceSize: 10, interrupt: { after: pieces, by: "stall" } } },
      ]);
      await bench.say("And again");
      const running = bench.run({ now: spreadOut() });
      await until(() => joined(deltas(bench, "say")).endsWith("Again."));
      await bench.append(makeEvent("cancel.requested", { key: "stop", ts: "2026-02-09T10:00:01Z" }));
      expect(await running).toMatchObject({ end: { exit: "cancelled", text: "Again." } });
      expect(deltas(bench, "write")).toEqual([]);
    }
  });

  it("is shown when the call is complete if nothing before the text marks it as visible to people", async () => {
    await using bench = await TurnBench.open();
    const content = "Green tea. ".repeat(9);
    const inputs = [
      { path: "a.md", content },
      { path: "b.md", content, channel: "canvas" },
    ];
    bench.simulator.script([
      { reply: { calls: inputs.map((input) => ({ name: "react__write", input })), pieceSize: 7 } },
      { reply: { text: "Done." } },
    ]);
    await bench.turn("Two files");
    expect(deltas(bench, "write").map(({ text }) => text)).toEqual([content, content]);
  });

  it("is not shown when it only refers to other content", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([
      { reply: { calls: [write("ref:ar:turn_1.user.prompt"), write("re")], pieceSize: 2 } },
      { reply: { text: "Done." } },
    ]);
    await bench.turn("Copy this");
    expect(deltas(bench, "write").map(({ text }) => text)).toEqual(["re"]);
  });

  it("is dropped when the request is retried, and followers are informed", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([
      { reply: { text: "Let me", calls: [write("x".repeat(99))], pieceSize: 5, interrupt: { after: 16, by: "cut" } } },
      { reply: { text: "Done." } },
    ]);
    await bench.say("Go");
    await bench.run({ now: spreadOut() });
    const discarded = bench.signals.flatMap((signal) => (signal.type === "discarded" ? signal.stream : []));
    expect(discarded.map((name) => readStreamName(name)?.kind)).toEqual(["say", "write"]);
    expect(await bench.store.openStreams(bench.key)).toEqual([]);
  });

  it("that cannot be saved is reported without the error of the store, and the turn continues", async () => {
    await using bench = await TurnBench.open();
    const store = new Proxy(bench.store, {
      get: (target, name) => {
        if (name === "appendStream") return async () => Promise.reject(new Error("connect postgres://ada:secret@db"));
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    bench.simulator.script([{ reply: { text: "Hello there.", pieceSize: 5 } }]);
    await bench.say("Go");
    expect(await bench.run({ now: spreadOut(), store })).toMatchObject({ status: "ended" });
    const reports = bench.signals.flatMap((signal) => (signal.type === "progress" ? signal : []));
    expect(reports.map(({ text }) => text)).toEqual([
      "The text that is being written could not be saved. Clients that join now see it when it is complete.",
    ]);
    expect(reports[0]?.error).toBeInstanceOf(Error);
    const seen = bench.signals.map((signal) => ({ ...signal, error: null }));
    expect(JSON.stringify(seen)).not.toContain("secret");
  });

  it("of an attempt that crashed is discarded by the next attempt", async () => {
    await using bench = await TurnBench.open();
    const { token } = await bench.store.acquireLease(bench.key, "dead", 1_000);
    await bench.store.appendStream(bench.key, { token, stream: "turn_1.0.tc_1.say", offset: 0, text: "I was" });
    await bench.store.releaseLease(bench.key, token);
    bench.simulator.script([{ reply: { text: "Done." } }]);
    await bench.turn("Go");
    expect(bench.signals[0]).toEqual({ type: "discarded", stream: "turn_1.0.tc_1.say" });
    expect(await bench.store.openStreams(bench.key)).toEqual([]);
  });
});

describe("code that a call is about to run", () => {
  it("is shown unchanged, and is on the timeline before its call", async () => {
    await using bench = await TurnBench.open({ agent: { tools: [RUN] } });
    const code = 'print("[[S:1]]")\n';
    bench.simulator.script([
      { reply: { calls: [{ name: "shop__run", input: { name: "one", code } }], pieceSize: 4 } },
      { reply: { text: "Ran." } },
    ]);
    await bench.turn("Run it");
    expect(joined(deltas(bench, "code"))).toBe(code);
    const blocks = await bench.blocks();
    const at = blocks.findIndex(({ type }) => type === "react.tool.code");
    expect(blocks[at]).toMatchObject({ text: code, path: expect.stringMatching(/^fi:turn_1\.code\.tc_/) });
    expect(blocks[at + 1]).toMatchObject({ type: "react.tool.call", meta: blocks[at]?.meta });
  });
});

/** A clock that advances by a second each time it is read, so that streams are saved after every piece. */
function spreadOut(): () => number {
  let now = Date.parse("2026-02-09T10:00:00Z");
  return () => (now += 1_000);
}

describe("the input of a call", () => {
  const ORDER = defineTool({
    id: "shop.order",
    description: "Orders.",
    params: z.object({ what: z.string() }),
    run: async () => ({ ok: true, ret: {} }),
  });
  const MODELS = ["anthropic:claude-sonnet-5", "openai:gpt-6.1-sol", "google:gemini-4-argon", "openai-compatible:x"];
  const script = (bench: TurnBench) =>
    bench.simulator.script([
      { reply: { calls: ["tea", "coffee"].map((what) => ({ name: "shop__order", input: { what } })), pieceSize: 3 } },
      { reply: { text: "Done." } },
    ]);

  it.each(MODELS)("over %s is shown while the model writes it, under the id that the call then has", async (name) => {
    const env = (url: string) => ({ ...simulatorEnv(url), CAIRN_MODEL_CONTEXT_TOKENS: "200000" });
    await using bench = await TurnBench.open({
      agent: { tools: [ORDER] },
      model: (url) => resolveModel(name, env(url)),
    });
    script(bench);
    await bench.turn("Order");
    const shown = Map.groupBy(deltas(bench, "input"), ({ call_id }) => call_id);
    expect([...shown.values()].map((pieces) => JSON.parse(joined(pieces)))).toEqual([
      { what: "tea" },
      { what: "coffee" },
    ]);
    const made = (await bench.blocks()).filter(({ type }) => type === "react.tool.call");
    expect([...shown.keys()]).toEqual(made.map(({ meta }) => meta?.tool_call_id));
    const [{ stream = "" } = {}] = deltas(bench, "input");
    expect(readStreamName(stream)?.call).toEqual({ call_id: [...shown.keys()][0], tool_id: "shop.order" });
    expect(await bench.store.openStreams(bench.key)).toEqual([]);
  });

  it.each([
    ["a hook may change it", { hooks: { beforeTool: () => undefined } }, ORDER],
    ["its tool may make it internal", {}, { ...ORDER, visibility: async () => null }],
    ["its tool shows other parameters", {}, { ...ORDER, shownParams: () => ({}) }],
  ])("is not shown before the call is checked if %s", async (_, more, tool) => {
    await using bench = await TurnBench.open({ agent: { ...more, tools: [tool] } });
    script(bench);
    await bench.turn("Order");
    expect(deltas(bench, "input")).toEqual([]);
  });
});
