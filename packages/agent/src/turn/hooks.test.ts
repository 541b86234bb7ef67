/**
 * Tests that hooks may change, refuse and add content. The journal contains their changes, and a hook that fails never
 * ends a turn without an answer.
 */
import { TurnBench } from "@cairn/testkit/turns";
import { type EventBody, makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { AgentHooks } from "../definition/hooks.ts";
import { reactTools } from "../react/react-tools.ts";
import { answerApproval } from "../tool/consent.ts";
import { defineTool } from "../tool/tool.ts";

const order = (what: string) => ({ calls: [{ name: "shop__order", input: { what } }] });

function openBench(hooks: AgentHooks, effects: string[] = [], approval: "always" | "never" = "never") {
  const tool = defineTool({
    id: "shop.order",
    description: "Orders.",
    params: z.object({ what: z.string().max(9) }),
    approval,
    run: async ({ what }) => {
      effects.push(what);
      return { ok: true, ret: { ordered: what } };
    },
  });
  return TurnBench.open({ agent: { tools: [...reactTools(), tool], hooks } });
}

async function said(bench: TurnBench): Promise<string> {
  return JSON.stringify(await bench.blocks());
}

describe("beforeTool", () => {
  it("changes the parameters of a call before approval is asked for; a restart does not ask it again", async () => {
    const effects: string[] = [];
    const asked: unknown[] = [];
    const beforeTool: NonNullable<AgentHooks["beforeTool"]> = ({
      tool,
      params,
      scope,
      conversation,
      turn,
      context,
    }) => {
      asked.push({ tool, params, scope, conversation, turn, context });
      return { params: { what: "tea" }, notice: "Coffee is out." };
    };
    await using bench = await openBench({ beforeTool }, effects, "always");
    bench.simulator.script([{ reply: order("coffee") }, { reply: { text: "Done." } }]);
    expect(await bench.turn("Order")).toMatchObject({ status: "waiting" });
    const requests = [...(await bench.store.load(bench.key)).state.approvalsRequested.values()];
    expect(requests).toMatchObject([{ params: { what: "tea" } }]);
    for (const each of requests as EventBody<"approval.requested">[])
      await bench.append(
        makeEvent("approval.given", answerApproval(bench.key, each, { approve: true, ts: "2026-02-09T10:00:01Z" })),
      );
    expect(await bench.run()).toMatchObject({ status: "ended" });
    expect(effects).toEqual(["tea"]);
    expect(asked).toEqual([
      {
        tool: "shop.order",
        params: { what: "coffee" },
        conversation: "c1",
        turn: "turn_1",
        context: {},
        scope: { tenant: "acme", project: "site", user: "ada" },
      },
    ]);
    const sent = bench.simulator.requests.at(-1)?.bytes ?? "";
    for (const text of ["hook_changed_params", "Coffee is out.", "tea"]) expect(sent).toContain(text);
  });

  it.each<[string, NonNullable<AgentHooks["beforeTool"]>, string]>([
    ["refuses it", () => ({ refuse: "The shop is closed." }), "The shop is closed."],
    [
      "changes its input in place",
      ({ params }) => {
        (params as { what: string }).what = "tea";
      },
      "could not check it",
    ],
    [
      "throws",
      () => Promise.reject<undefined>(new Error("no connection")),
      "The hook beforeTool failed: no connection",
    ],
    ["never returns", () => new Promise<undefined>(() => undefined), "The hook beforeTool failed: it took longer than"],
    ["returns something else", () => "yes" as never, "something other than an object"],
    ["returns a refusal that is misspelt", () => ({ refused: "No." }) as never, "the unknown field `refused`"],
    ["returns what another hook may change", () => ({ result: 1 }) as never, "the unknown field `result`"],
    ["returns parameters that do not fit", () => ({ params: { what: 1 } }), "could not check it"],
  ])("that %s leaves the call undone, and the model sees why", async (_, beforeTool, reason) => {
    const effects: string[] = [];
    await using bench = await openBench({ beforeTool, timeoutMs: 20 }, effects);
    bench.simulator.script([{ reply: order("tea") }, { reply: { text: "I see." } }]);
    expect(await bench.turn("Order")).toMatchObject({ end: { exit: "complete", text: "I see." } });
    expect(effects).toEqual([]);
    expect(bench.simulator.requests.at(-1)?.bytes).toContain(reason);
  });

  const write = (content: string) => ({
    calls: [{ name: "react__write", input: { path: "files/a.txt", channel: "canvas", kind: "file", content } }],
  });
  const REF = "ref:fi:turn_1.files/a.txt";

  it("gets the content behind a reference, so a reference does not bypass its check", async () => {
    const effects: string[] = [];
    const seen: unknown[] = [];
    const hooks: AgentHooks = {
      beforeTool: ({ params: { what } }) => (what === "DROP" ? { refuse: "Not that." } : undefined),
      afterTool: ({ tool, params }) => {
        if (tool === "shop.order") seen.push(params);
        return undefined;
      },
    };
    await using bench = await openBench(hooks, effects);
    bench.simulator.script([
      { reply: write("DROP") },
      { reply: order(REF) },
      { reply: write("tea") },
      { reply: order(REF) },
      { reply: { text: "Done." } },
    ]);
    expect(await bench.turn("Order")).toMatchObject({ end: { text: "Done." } });
    expect(effects).toEqual(["tea"]);
    expect(seen).toEqual([{ what: "tea" }]);
    expect(bench.simulator.requests[2]?.bytes).toContain("Not that.");
    // The block of the call keeps the model's parameters.
    const calls = (await bench.blocks()).filter(({ type, text }) => type === "react.tool.call" && text?.includes(REF));
    expect(calls).toHaveLength(2);
  });

  it("keeps bound content as it is, and binds only the references that it adds", async () => {
    const ordered: unknown[] = [];
    const tool = defineTool({
      id: "shop.order",
      description: "Orders.",
      params: z.object({ what: z.string(), note: z.string().optional() }),
      approval: "always",
      run: async (params) => {
        ordered.push(params);
        return { ok: true, ret: "ordered" };
      },
    });
    const beforeTool: NonNullable<AgentHooks["beforeTool"]> = ({ tool: id, params }) =>
      id === "shop.order" ? { params: { ...params, note: REF } } : undefined;
    await using bench = await TurnBench.open({ agent: { tools: [...reactTools(), tool], hooks: { beforeTool } } });
    const prompt = "ref:ar:turn_1.user.prompt";
    bench.simulator.script([{ reply: write("Hot.") }, { reply: order(prompt) }, { reply: { text: "Done." } }]);
    // The content of the message itself looks like a reference.
    expect(await bench.turn("ref:fi:none")).toMatchObject({ status: "waiting" });
    const bound = { what: "ref:fi:none", note: "Hot." };
    const requests = [...(await bench.store.load(bench.key)).state.approvalsRequested.values()];
    expect(requests).toMatchObject([{ params: bound, bound: true }]);
    for (const each of requests)
      await bench.append(
        makeEvent("approval.given", answerApproval(bench.key, each, { approve: true, ts: "2026-02-09T10:00:01Z" })),
      );
    expect(await bench.run()).toMatchObject({ status: "ended" });
    expect(ordered).toEqual([bound]);
    const shown = (await bench.blocks()).filter(({ type }) => type === "react.tool.call").at(-1)?.text ?? "";
    expect(JSON.parse(shown)).toMatchObject({ params: { what: prompt, note: REF } });
  });
});

describe("afterTool", () => {
  it.each<[string, NonNullable<AgentHooks["afterTool"]>, string, string]>([
    ["changes the result", () => ({ result: { ordered: "***" } }), "***", "ok"],
    ["withholds it", () => ({ refuse: "It is secret." }), "It is secret.", "error"],
    ["adds a notice", () => ({ notice: "Two are left." }), "Two are left.", "ok"],
    ["fails", () => Promise.reject<undefined>(new Error("down")), "so it is withheld", "error"],
  ])("that %s does so before the model sees the result", async (_, afterTool, shown, outcome) => {
    const effects: string[] = [];
    await using bench = await openBench({ afterTool }, effects);
    bench.simulator.script([{ reply: order("tea") }, { reply: { text: "Done." } }]);
    expect(await bench.turn("Order")).toMatchObject({ end: { exit: "complete" } });
    expect(effects).toEqual(["tea"]);
    const sent = bench.simulator.requests.at(-1)?.bytes ?? "";
    expect(sent).toContain(shown);
    expect(sent.includes('\\"ordered\\":\\"tea\\"')).toBe(shown === "Two are left.");
    const events = await bench.store.readEvents(bench.key, { after: 0, limit: 1_000 });
    expect(events.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ kind: "call.settled", body: expect.objectContaining({ outcome }) }),
    );
  });

  it("sees what a tool returned or threw, and nothing of a tool that writes its result itself", async () => {
    const seen: unknown[] = [];
    await using bench = await openBench({
      afterTool: ({ tool, result }) => {
        seen.push([tool, result]);
        return { result: "changed" };
      },
    });
    bench.simulator.script([
      { reply: order("tea") },
      { reply: { calls: [{ name: "react__read", input: { paths: ["ar:turn_1.user.prompt"] } }] } },
      { reply: { text: "Done." } },
    ]);
    await bench.turn("Order");
    expect(seen).toEqual([
      ["shop.order", { output: { ordered: "tea" }, error: null }],
      ["react.read", null],
    ]);
    expect(await said(bench)).toContain("changed");
  });
});

describe("a hook of a request", () => {
  it("adds notices after the sent content, once for each decision, and changes no prefix", async () => {
    const decisions: number[] = [];
    const hooks: AgentHooks = {
      beforeRequest: (next) => {
        decisions.push(next.decisions);
        return { notice: `Notice ${next.decisions}.` };
      },
    };
    await using bench = await openBench(hooks);
    bench.simulator.script([{ reply: { fault: "overloaded" } }, { reply: order("tea") }, { reply: { text: "Done." } }]);
    await bench.turn("Order");
    expect(decisions).toEqual([0, 1]);
    const sent = bench.simulator.requests.map(({ bytes }) => bytes);
    expect(sent.map((bytes) => [bytes.includes("Notice 0."), bytes.includes("Notice 1.")])).toEqual([
      [true, false],
      [true, false],
      [true, true],
    ]);
    const receipts = (await bench.store.readEvents(bench.key, { after: 0, limit: 1_000 })).flatMap(({ event }) =>
      "unknown" in event || event.kind !== "model.receipt" ? [] : [event.body.resets],
    );
    expect(receipts).toEqual([[], []]);
  });

  it("may refuse an answer: the model sees why, and is asked again a few times", async () => {
    const seen: unknown[] = [];
    const hooks: AgentHooks = {
      afterRequest: ({ text, calls, usage }) => {
        seen.push([text, calls, usage.input > 0]);
        return text.includes("damn") ? { refuse: "Be polite." } : { notice: "Well said." };
      },
    };
    await using bench = await openBench(hooks);
    bench.simulator.script([{ reply: { text: "damn" } }, { reply: { text: "Gladly." } }]);
    expect(await bench.turn("Hello")).toMatchObject({ end: { exit: "complete", text: "Gladly." } });
    expect(seen).toEqual([
      ["damn", [], true],
      ["Gladly.", [], true],
    ]);
    expect(bench.simulator.requests.at(-1)?.bytes).toContain("Be polite.");
    bench.simulator.script([{ reply: { text: "damn" }, times: 4 }]);
    expect(await bench.turn("Again")).toMatchObject({ end: { exit: "error", error: { code: "hook_refused" } } });
  });

  it("may refuse the request, which ends the turn with the reason", async () => {
    await using bench = await openBench({
      beforeRequest: ({ decisions }) => (decisions > 0 ? { refuse: "Enough." } : undefined),
    });
    bench.simulator.script([{ reply: order("tea") }]);
    expect(await bench.turn("Order")).toMatchObject({
      end: { exit: "error", text: "Enough.", error: { code: "hook_refused" } },
    });
  });
});

describe("a hook of a turn", () => {
  it("may refuse the turn before anything is asked of a model", async () => {
    await using bench = await openBench({ beforeTurn: ({ scope }) => ({ refuse: `Not for ${scope.user}.` }) });
    expect(await bench.turn("Order")).toMatchObject({ end: { exit: "error", text: "Not for ada." } });
    expect(bench.simulator.requests).toEqual([]);
  });

  it("a hook of a turn that refuses with a notice refuses again if the process died before the end of the turn was stored", async () => {
    await using bench = await openBench({ beforeTurn: () => ({ refuse: "Closed.", notice: "Open at nine." }) });
    const store = new Proxy(bench.store, {
      get: (target, name) => {
        const own = Reflect.get(target, name) as unknown;
        if (typeof own !== "function") return own;
        return (...given: unknown[]) => {
          if (name === "append" && JSON.stringify(given[1]).includes("turn.closed")) throw new Error("killed");
          return Reflect.apply(own, target, given) as unknown;
        };
      },
    });
    await bench.say("Order");
    await expect(bench.run({ store })).rejects.toThrow("killed");
    expect(await bench.run()).toMatchObject({ end: { exit: "error", text: "Closed." } });
    expect((await bench.blocks()).filter(({ text }) => text?.includes("Open at nine."))).toHaveLength(1);
  });

  it("runs once for each turn, also when the turn waits and continues", async () => {
    const ran: string[] = [];
    const hooks: AgentHooks = {
      beforeTurn: ({ turn }) => {
        ran.push(`before ${turn}`);
      },
      afterTurn: ({ exit, text }) => {
        ran.push(`after ${exit} ${text}`);
        return { notice: "Noted." };
      },
    };
    await using bench = await openBench(hooks, [], "always");
    bench.simulator.script([{ reply: order("tea") }, { reply: { text: "Done." } }]);
    await bench.turn("Order");
    await bench.run();
    for (const each of (await bench.store.load(bench.key)).state.approvalsRequested.values())
      await bench.append(
        makeEvent("approval.given", answerApproval(bench.key, each, { approve: true, ts: "2026-02-09T10:00:01Z" })),
      );
    await bench.run();
    expect(ran).toEqual(["before turn_1", "after complete Done."]);
    expect(await said(bench)).toContain("Noted.");
  });

  it("may replace an answer with a refusal", async () => {
    await using bench = await openBench({ afterTurn: () => ({ refuse: "This may not be said." }) });
    bench.simulator.script([{ reply: { text: "A secret." } }]);
    expect(await bench.turn("Tell me")).toMatchObject({ end: { exit: "error", text: "This may not be said." } });
    const answers = (await bench.blocks()).filter(({ type }) => type === "assistant.completion");
    expect(answers.map(({ text }) => text)).toEqual(["This may not be said."]);
  });

  it.each(["beforeTurn", "afterTurn", "beforeRequest", "afterRequest"] as const)(
    "or of a request that hangs or throws does not stop the turn: %s",
    async (name) => {
      const hang = () => new Promise<never>(() => undefined);
      await using bench = await openBench({ [name]: hang, timeoutMs: 10 });
      bench.simulator.script([{ reply: { text: "Hello." } }]);
      expect(await bench.turn("Hi")).toMatchObject({ end: { exit: "complete", text: "Hello." } });
      expect(await said(bench)).toContain(`The hook ${name} failed: it took longer than 0.01 s.`);
    },
  );
});
