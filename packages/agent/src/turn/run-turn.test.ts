/** Tests whole turns over a real store and a simulated provider. */
import { TurnBench } from "@cairn/testkit/turns";
import { makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { answerApproval } from "../tool/consent.ts";
import { defineTool, type ToolEnvelope } from "../tool/tool.ts";

/** A tool whose runs are counted. */
function counter(options: { idempotent?: boolean; approval?: "always" } = {}) {
  const effects: string[] = [];
  const tool = defineTool({
    id: "shop.order",
    description: "Orders something.",
    params: z.object({ what: z.string() }),
    ...options,
    run: async ({ what }) => {
      effects.push(what);
      return { ok: true, error: null, ret: { ordered: what } };
    },
  });
  return { tool, effects };
}

const order = (what: string, id = `toolu_${what}`) => ({ id, name: "shop__order", input: { what } });

describe("a turn", () => {
  it("answers at once when no call is needed", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([{ reply: { text: "Hello Ada." } }]);
    expect(await bench.turn("Hi")).toMatchObject({ status: "ended", end: { exit: "complete", text: "Hello Ada." } });
    expect(await bench.types()).toEqual(["turn.header", "user.prompt", "assistant.completion", "react.exit"]);
    expect(await bench.run()).toEqual({ status: "idle" });
  });

  it("runs without the tools that cannot be found, and tells the model why", async () => {
    const findTools = () => Promise.reject(new Error("The directory of tools is broken."));
    await using bench = await TurnBench.open({ agent: { findTools } });
    bench.simulator.script([{ reply: { text: "Hello Ada." } }]);
    expect(await bench.turn("Hi")).toMatchObject({ status: "ended", end: { exit: "complete", text: "Hello Ada." } });
    expect(await bench.types()).toContain("react.notice");
    expect(bench.simulator.requests[0]?.bytes).toContain(
      "Some tools could not be found: The directory of tools is broken.",
    );
  });

  it("ends with an error when two of its tools have the same id", async () => {
    const { tool } = counter();
    await using bench = await TurnBench.open({ agent: { tools: [tool], findTools: async () => [tool] } });
    expect(await bench.turn("Hi")).toMatchObject({
      status: "ended",
      end: { exit: "error", error: { code: "bad_tool" } },
    });
    expect(await bench.run()).toEqual({ status: "idle" });
  });

  it("runs the calls of a decision and shows their results to the next", async () => {
    const { tool, effects } = counter();
    await using bench = await TurnBench.open({ agent: { tools: [tool] } });
    bench.simulator.script([
      { reply: { text: "Ordering both.", calls: [order("tea"), order("cake")] } },
      { reply: { text: "Done." } },
    ]);
    await bench.turn("Tea and cake please");
    expect(effects.sort()).toEqual(["cake", "tea"]);
    expect(await bench.types()).toEqual([
      ...["turn.header", "user.prompt", "react.notes", "react.tool.call", "react.tool.call"],
      ...["react.tool.result", "react.tool.result", "assistant.completion", "react.exit"],
    ]);
    const second = JSON.stringify(bench.simulator.requests[1]?.body);
    expect(second).toContain("[AI Agent say]: Ordering both.");
    expect(second).toContain(JSON.stringify(JSON.stringify({ ordered: "tea" })).slice(1, -1));
  });

  it("reads, in its second request, the cache that the first one wrote", async () => {
    const { tool } = counter();
    await using bench = await TurnBench.open({ agent: { tools: [tool], instructions: "You help. ".repeat(600) } });
    bench.simulator.script([{ reply: { calls: [order("tea")] } }, { reply: { text: "Done." } }]);
    await bench.turn("Tea please");
    const { state } = await bench.store.load(bench.key);
    const usage = state.lastReceipt?.usage as { cache_read_tokens: number; input_tokens: number };
    expect(usage.cache_read_tokens).toBeGreaterThan(1_000);
    expect(bench.simulator.requests.every((request) => request.status === 200)).toBe(true);
  });

  it("tells the model the problem with a decision and retries, a limited number of times", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([
      { reply: { calls: [{ id: "toolu_1", name: "no_such_tool", input: {} }] } },
      { reply: {} },
      { reply: { text: "Here." } },
    ]);
    expect(await bench.turn("Hi")).toMatchObject({ end: { exit: "complete", text: "Here." } });
    const notices = (await bench.blocks())
      .filter((block) => block.type === "react.notice")
      .map((block) => JSON.parse(block.text ?? "{}").code);
    expect(notices).toEqual(["protocol_violation.unknown_tool", "protocol_violation.empty_decision"]);

    bench.simulator.script(Array.from({ length: 9 }, () => ({ reply: {} })));
    expect(await bench.turn("Again")).toMatchObject({ end: { exit: "error" } });
  });

  it("waits and retries when the provider is overloaded, and compacts when the request is too large", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([
      { reply: { fault: "overloaded", retryAfter: 1 } },
      { reply: { text: "One." } },
      { reply: { text: "Two." } },
    ]);
    await bench.turn("First");
    expect(bench.signals.some((signal) => signal.type === "waiting")).toBe(true);
    await bench.turn("Second");
    bench.simulator.script([
      { reply: { fault: "context_limit" } },
      {
        name: "summary",
        when: (request) => request.lastText.includes("Summarise"),
        reply: { text: "Goal: counting." },
        times: 2,
      },
      { reply: { text: "Three." } },
    ]);
    expect(await bench.turn("Third")).toMatchObject({ end: { exit: "complete", text: "Three." } });
    expect((await bench.types())[0]).toBe("conv.range.summary");
  });

  it("may repeat calls if one of them failed temporarily, and otherwise warns the model that it repeats itself", async () => {
    const answers: ToolEnvelope[] = [
      { ok: false, error: { code: "http_error", message: "503 Service Unavailable" } },
      { ok: false, error: { code: "not_found", message: "There is no tea." } },
    ];
    const shop = defineTool({
      id: "shop.order",
      description: "Orders something.",
      params: z.object({ what: z.string() }),
      run: async () => answers.shift() ?? { ok: true, ret: "tea" },
    });
    await using bench = await TurnBench.open({ agent: { tools: [shop] } });
    bench.simulator.script([{ reply: { calls: [order("tea")] }, times: 3 }, { reply: { text: "Done." } }]);
    await bench.turn("Tea please");
    // The first failure is transient, so the call runs again. The second failure is not, so no third call is made.
    expect((await bench.types()).filter((type) => type === "react.tool.call")).toHaveLength(2);
    const notices = (await bench.blocks()).filter(({ type }) => type === "react.notice");
    expect(notices.map(({ text }) => text)).toEqual([expect.stringContaining("repeated_decision")]);
  });

  it("stops repeating calls that keep failing temporarily", async () => {
    const shop = defineTool({
      id: "shop.order",
      description: "Orders something.",
      params: z.object({ what: z.string() }),
      run: async () => ({ ok: false, error: { code: "tool_timeout", message: "Nobody answers." } }),
    });
    await using bench = await TurnBench.open({ agent: { tools: [shop] } });
    bench.simulator.script([{ reply: { calls: [order("tea")] }, times: 20 }]);
    expect(await bench.turn("Tea please")).toMatchObject({ end: { exit: "error" } });
    expect((await bench.types()).filter((type) => type === "react.tool.call")).toHaveLength(4);
  });

  it("leaves its last announcement in its log, and no announcement on the timeline", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([{ reply: { text: "Hello." } }]);
    await bench.turn("Hi");
    const [log] = await bench.store.recent(bench.key, { kinds: ["turn.log"] });
    const { blocks = [] } = (log?.payload ?? {}) as { blocks?: { type: string; text?: string }[] };
    expect(blocks.at(-1)).toMatchObject({ type: "react.announce", text: expect.stringContaining("iteration: 1/") });
    expect(await bench.types()).not.toContain("react.announce");
  });

  it("ends with an answer from the known facts when its decisions are used up", async () => {
    const { tool } = counter();
    await using bench = await TurnBench.open({ agent: { tools: [tool], budgets: { iterations: 2 } } });
    bench.simulator.script([
      { reply: { calls: [order("a")] } },
      { reply: { calls: [order("b")] } },
      { reply: { text: "So far: a and b." } },
    ]);
    expect(await bench.turn("Order everything")).toMatchObject({
      end: { exit: "max_iterations", text: "So far: a and b." },
    });
  });

  it("asks the user when the model does", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([
      { reply: { calls: [{ id: "toolu_q", name: "ask_user", input: { question: "Which day?" } }] } },
    ]);
    expect(await bench.turn("Book it")).toMatchObject({ end: { exit: "clarify", text: "Which day?" } });
  });
});

describe("while a turn runs", () => {
  it("a cancellation stops the model and keeps the text so far", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([
      { reply: { text: "This is going to be long", pieceSize: 6, interrupt: { after: 2, by: "stall" } } },
    ]);
    await bench.say("Tell me everything");
    const running = bench.run();
    while (!bench.signals.some((signal) => signal.type === "delta"))
      await new Promise((resolve) => setTimeout(resolve, 5));
    await bench.append(makeEvent("cancel.requested", { key: "stop", ts: "2026-02-09T10:00:01Z" }));
    expect(await running).toMatchObject({ end: { exit: "cancelled", interrupted: true } });
    const last = (await bench.blocks()).find((block) => block.type === "assistant.completion");
    expect(last?.text).toMatch(/^This/);
    expect(last?.meta).toMatchObject({ interrupted: true });
  });

  it("a steering message is seen by the next decision, and a follow-up waits for its own turn", async () => {
    await using bench = await TurnBench.open({
      agent: {
        tools: [
          defineTool({
            id: "shop.wait",
            description: "Waits.",
            params: z.object({}),
            run: async () => {
              await bench.say("Actually, coffee", "steer");
              await bench.say("And then cake", "follow-up");
              return { ok: true, ret: null };
            },
          }),
        ],
      },
    });
    bench.simulator.script([
      { reply: { calls: [{ id: "toolu_w", name: "shop__wait", input: {} }] } },
      { when: (request) => request.texts.join("").includes("Actually, coffee"), reply: { text: "Coffee then." } },
      { reply: { text: "Cake too." } },
    ]);
    expect(await bench.turn("Tea")).toMatchObject({ end: { text: "Coffee then." } });
    expect(await bench.run()).toMatchObject({ end: { text: "Cake too." } });
    expect((await bench.blocks()).filter((block) => block.type === "user.prompt").map((block) => block.path)).toEqual([
      expect.stringMatching(/\.user\.prompt$/),
      expect.stringMatching(/\.user\.prompt\.2$/),
      expect.stringMatching(/\.user\.prompt$/),
    ]);
  });

  it.each([true, false])("a call that needs consent waits outside the turn, and %s decides", async (approve) => {
    const { tool, effects } = counter({ approval: "always" });
    await using bench = await TurnBench.open({ agent: { tools: [tool] } });
    bench.simulator.script([{ reply: { calls: [order("car")] } }, { reply: { text: "All settled." } }]);
    expect(await bench.turn("A car please")).toMatchObject({ status: "waiting" });
    expect(effects).toEqual([]);
    const { state } = await bench.store.load(bench.key);
    for (const asked of state.approvalsRequested.values())
      await bench.append(
        makeEvent("approval.given", answerApproval(bench.key, asked, { approve, ts: "2026-02-09T10:00:01Z" })),
      );
    expect(await bench.run()).toMatchObject({ status: "ended", end: { text: "All settled." } });
    expect(effects).toEqual(approve ? ["car"] : []);
    const result = (await bench.blocks()).find((block) => block.type === "react.tool.result");
    expect(result?.text).toContain(approve ? "ordered" : "approval_denied");
  });

  it("a turn that continues later keeps its used budget and its number of decisions", async () => {
    const { tool } = counter({ approval: "always" });
    await using bench = await TurnBench.open({ agent: { tools: [tool], budgets: { iterations: 2 } } });
    bench.simulator.script([
      { reply: { calls: [order("car")] } },
      { reply: { calls: [order("boat")] } },
      { reply: { text: "Both, then." } },
    ]);
    let outcome = await bench.turn("A car and a boat please");
    while (outcome.status === "waiting") {
      for (const asked of (await bench.store.load(bench.key)).state.approvalsRequested.values())
        await bench.append(
          makeEvent("approval.given", answerApproval(bench.key, asked, { approve: true, ts: "2026-02-09T10:00:01Z" })),
        );
      outcome = await bench.run();
    }
    expect(outcome).toMatchObject({ end: { exit: "max_iterations", text: "Both, then." } });
    const calls = (await bench.blocks()).filter((block) => block.type === "react.tool.call");
    expect(calls.map((block) => block.meta?.iteration)).toEqual([1, 2]);
  });

  it("attachments keep their names, and two with the same name stay distinct", async () => {
    await using bench = await TurnBench.open();
    const { ref } = await bench.store.putBlob(bench.key, [Buffer.from("text")]);
    const attachments = ["a.txt", "b.txt", "A.txt", "../a.txt"].map((name) => ({
      name,
      mime: "text/plain",
      blob: ref,
      size_bytes: 4,
    }));
    const input = { key: "files", mode: "turn" as const, message: "Look", attachments, ts: "2026-02-09T10:00:00Z" };
    await bench.append(makeEvent("input.received", input));
    bench.simulator.script([{ reply: { text: "Seen." } }]);
    await bench.run();
    const paths = (await bench.blocks()).filter(({ type }) => type === "user.attachment").map(({ path }) => path);
    expect(paths.map((path) => path?.split("/").at(-1))).toEqual(["a.txt", "b.txt", "A-2.txt", "a-3.txt"]);
  });
});
