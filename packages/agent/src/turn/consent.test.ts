/** Tests that consent is bound to content: a call runs only with exactly the content that a person saw and approved. */
import { TurnBench } from "@cairn/testkit/turns";
import { type EventBody, makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { AgentDefinition } from "../definition/define-agent.ts";
import { reactTools } from "../react/react-tools.ts";
import { answerApproval, type ConsentAnswer } from "../tool/consent.ts";
import { defineTool } from "../tool/tool.ts";

const TS = "2026-02-09T10:00:01Z";
const PATH = "files/order.txt";

function openBench(effects: string[], agent: Partial<AgentDefinition> = {}, approval: "always" | "rule" = "always") {
  const order = defineTool({
    id: "shop.order",
    description: "Orders.",
    params: z.object({ what: z.string() }),
    idempotent: true,
    approval: approval === "always" ? "always" : ({ what }) => what.includes("dangerous"),
    run: async ({ what }) => {
      effects.push(what);
      return { ok: true, ret: "ordered" };
    },
  });
  return TurnBench.open({ agent: { tools: [...reactTools(), order], ...agent } });
}

const order = (what: string) => ({ name: "shop__order", input: { what } });
const write = (content: string) => ({
  name: "react__write",
  input: { path: PATH, channel: "canvas", kind: "file", content },
});

async function requests(bench: TurnBench, key = bench.key): Promise<EventBody<"approval.requested">[]> {
  return [...(await bench.store.load(key)).state.approvalsRequested.values()];
}

async function answer(bench: TurnBench, given: Partial<ConsentAnswer> = {}): Promise<void> {
  for (const asked of await requests(bench))
    await bench.append(
      makeEvent("approval.given", answerApproval(bench.key, asked, { approve: true, ts: TS, ...given })),
    );
}

/** A file whose content changes between the request for consent and the call. */
function scriptSwap(bench: TurnBench): void {
  bench.simulator.script([
    { reply: { calls: [write("harmless")] } },
    { reply: { calls: [order(`ref:fi:turn_1.${PATH}`), write("dangerous")] } },
    { reply: { text: "Done." } },
  ]);
}

describe("consent", () => {
  it("is asked for the content behind a reference, and exactly that content runs, even if the file has changed", async () => {
    const effects: string[] = [];
    await using bench = await openBench(effects);
    scriptSwap(bench);
    expect(await bench.turn("Order")).toMatchObject({ status: "waiting" });
    expect(await requests(bench)).toMatchObject([{ params: { what: "harmless" }, hash: expect.any(String) }]);
    await answer(bench);
    expect(await bench.run()).toMatchObject({ status: "ended" });
    expect(effects).toEqual(["harmless"]);
  });

  it("is not required by a rule that finds the bound content harmless, and that content runs", async () => {
    const effects: string[] = [];
    await using bench = await openBench(effects, {}, "rule");
    scriptSwap(bench);
    expect(await bench.turn("Order")).toMatchObject({ status: "ended" });
    expect(effects).toEqual(["harmless"]);
  });

  it("is required by a rule that finds the bound content dangerous", async () => {
    const effects: string[] = [];
    await using bench = await openBench(effects, {}, "rule");
    bench.simulator.script([
      { reply: { calls: [write("dangerous")] } },
      { reply: { calls: [order(`ref:fi:turn_1.${PATH}`)] } },
    ]);
    expect(await bench.turn("Order")).toMatchObject({ status: "waiting" });
    expect(effects).toEqual([]);
  });

  it("is not asked for a call whose reference cannot be bound: the call fails", async () => {
    const effects: string[] = [];
    await using bench = await openBench(effects);
    bench.simulator.script([{ reply: { calls: [order("ref:fi:turn_1.files/none.txt")] } }, { reply: { text: "No." } }]);
    expect(await bench.turn("Order")).toMatchObject({ status: "ended" });
    expect(JSON.stringify(await bench.blocks())).toContain("param_ref_not_visible");
    expect(effects).toEqual([]);
  });

  it.each([
    ["without a hash", {}],
    ["to other content", { hash: "0".repeat(64) }],
  ])("%s is not valid", async (_, named) => {
    const effects: string[] = [];
    await using bench = await openBench(effects);
    bench.simulator.script([{ reply: { calls: [order("car")] } }]);
    await bench.turn("Order");
    const [asked = expect.unreachable()] = await requests(bench);
    const { call_id } = asked;
    await bench.append(makeEvent("approval.given", { key: "k", call_id, approve: true, ts: TS, ...named }));
    expect(await bench.run()).toMatchObject({ status: "waiting" });
    expect(effects).toEqual([]);
  });

  it("with a reason tells it to the model, and a refusal does as well", async () => {
    const effects: string[] = [];
    await using bench = await openBench(effects);
    bench.simulator.script([
      { reply: { calls: [order("car")] } },
      { reply: { calls: [order("boat")] } },
      { reply: { text: "I see." } },
    ]);
    await bench.turn("Order");
    await answer(bench, { reason: " It is for Ada. " });
    expect(await bench.run()).toMatchObject({ status: "waiting" });
    await answer(bench, { approve: false, reason: "Boats sink." });
    expect(await bench.run()).toMatchObject({ status: "ended" });
    expect(effects).toEqual(["car"]);
    const [, second, third] = bench.simulator.requests.map(({ bytes }) => bytes);
    expect(second).toContain("approval_reason: The person who approved this call said: It is for Ada.");
    expect(third).toContain("The user did not agree to this call and said: Boats sink.");
  });

  it("with other parameters runs exactly these parameters, also after a crash, and tells the model", async () => {
    const effects: string[] = [];
    await using bench = await openBench(effects);
    bench.simulator.script([{ reply: { calls: [order("car")] } }, { reply: { text: "Done." } }]);
    await bench.turn("Order");
    // A person's parameters are used literally, so `ref:` is ordinary text in them.
    await answer(bench, { params: { what: "ref:fi:turn_1.none" }, reason: "Cheaper." });
    const store = new Proxy(bench.store, {
      get: (target, name) => {
        const own = Reflect.get(target, name) as unknown;
        if (typeof own !== "function") return own;
        return (...given: unknown[]) => {
          if (name === "append" && JSON.stringify(given[1]).includes("call.settled")) throw new Error("killed");
          return Reflect.apply(own, target, given) as unknown;
        };
      },
    });
    await expect(bench.run({ store })).rejects.toThrow("killed");
    expect(await bench.run()).toMatchObject({ status: "ended" });
    // The tool is idempotent, so it runs again after the crash, with the same parameters.
    expect(new Set(effects)).toEqual(new Set(["ref:fi:turn_1.none"]));
    const sent = bench.simulator.requests.at(-1)?.bytes;
    expect(sent).toContain("approval_edited: The person who approved this call changed its parameters.");
    expect(sent).toContain("Cheaper.");
    const events = await bench.store.readEvents(bench.key, { after: 0, limit: 1_000 });
    expect(events.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({
        kind: "approval.given",
        v: 2,
        body: expect.objectContaining({ params: { what: "ref:fi:turn_1.none" }, params_hash: expect.any(String) }),
      }),
    );
  });

  it("with parameters that do not match the tool's schema runs nothing", async () => {
    const effects: string[] = [];
    await using bench = await openBench(effects);
    bench.simulator.script([{ reply: { calls: [order("car")] } }, { reply: { text: "Done." } }]);
    await bench.turn("Order");
    await answer(bench, { params: { what: 3 } });
    expect(await bench.run()).toMatchObject({ status: "ended" });
    expect(effects).toEqual([]);
    expect(bench.simulator.requests.at(-1)?.bytes).toContain("bad_params");
  });

  it("to another call is not valid, even if it came first and the parameters are the same", async () => {
    const effects: string[] = [];
    await using bench = await openBench(effects);
    bench.simulator.script([{ reply: { calls: [order("car"), order("car")] } }, { reply: { text: "Done." } }]);
    await bench.turn("Order");
    const [first = expect.unreachable(), second = expect.unreachable()] = await requests(bench);
    const given = answerApproval(bench.key, first, { approve: true, ts: TS });
    await bench.append(makeEvent("approval.given", { ...given, call_id: second.call_id }));
    expect(await bench.run()).toMatchObject({ status: "waiting" });
    expect(effects).toEqual([]);
  });

  it("consent that an earlier version asked for, without a hash, is asked for again", async () => {
    const effects: string[] = [];
    await using bench = await openBench(effects);
    bench.simulator.script([{ reply: { calls: [order("car")] } }, { reply: { text: "Done." } }]);
    await bench.turn("Order");
    const [{ hash: _, bound: __, ...older } = expect.unreachable()] = await requests(bench);
    const lease = await bench.store.acquireLease(bench.key, "older", 60_000);
    await bench.store.append(bench.key, [makeEvent("approval.requested", older)], {
      lease: { token: lease.token, expectedSeq: lease.last_timeline_seq },
    });
    await bench.store.releaseLease(bench.key, lease.token);
    await bench.append(makeEvent("approval.given", { key: "old", call_id: older.call_id, approve: true, ts: TS }));
    expect(await bench.run()).toMatchObject({ status: "waiting" });
    expect(effects).toEqual([]);
    expect(await requests(bench)).toMatchObject([{ params: { what: "car" }, hash: expect.any(String) }]);
    await answer(bench);
    expect(await bench.run()).toMatchObject({ status: "ended" });
    expect(effects).toEqual(["car"]);
  });

  it("consent that was copied by a fork is not valid: the copy asks again", async () => {
    const effects: string[] = [];
    await using bench = await openBench(effects);
    bench.simulator.script([{ reply: { calls: [order("car")] } }, { reply: { text: "Done." } }]);
    await bench.turn("Order");
    await answer(bench, { remember: true });
    const { seq } = await bench.store.load(bench.key);
    const { conversation } = await bench.store.fork(bench.key, seq, "copy");
    const key = { ...bench.key, conversation };
    expect(await bench.run({ key })).toMatchObject({ status: "waiting" });
    expect(effects).toEqual([]);
  });

  it("consent that came with an import is not valid: its turn is closed, and nothing of the file runs", async () => {
    const effects: string[] = [];
    await using bench = await openBench(effects);
    bench.simulator.script([{ reply: { calls: [order("car")] } }]);
    await bench.turn("Order");
    await answer(bench, { remember: true });
    await bench.say("Then a boat", "follow-up");
    const key = { ...bench.key, conversation: "copy" };
    await bench.store.importConversation(key, bench.store.exportConversation(bench.key));
    expect(await bench.run({ key })).toMatchObject({ status: "idle" });
    expect(effects).toEqual([]);
  });

  it("for a whole conversation is not asked for again, and ends with the conversation", async () => {
    const effects: string[] = [];
    await using bench = await openBench(effects);
    bench.simulator.script([
      { reply: { calls: [order("car")] } },
      { reply: { calls: [order("boat")] } },
      { reply: { text: "Done." } },
    ]);
    await bench.turn("Order");
    await answer(bench, { remember: true });
    expect(await bench.run()).toMatchObject({ status: "ended" });
    expect(effects).toEqual(["car", "boat"]);
    const { seq } = await bench.store.load(bench.key);
    await bench.store.fork(bench.key, seq, "copy");
    bench.simulator.script([{ reply: { calls: [order("plane")] } }]);
    const key = { ...bench.key, conversation: "copy" };
    const body = { key: "again", mode: "turn" as const, message: "A plane", attachments: [], ts: TS };
    await bench.store.append(key, [makeEvent("input.received", body)]);
    expect(await bench.run({ key })).toMatchObject({ status: "waiting" });
  });
});

it("the output of a call that the client ran allows no later call of a tool, but an approval can", () => {
  const key = { tenant: "t", project: "p", user: "u", conversation: "c" };
  const call = { call_id: "tc_1", turn_id: "turn_1", tool_id: "shop.order", params: {} };
  const asked: EventBody<"approval.requested"> = { ...call, hash: "h", ts: TS };
  const said: ConsentAnswer = { approve: true, remember: true, ts: TS };
  expect(answerApproval(key, asked, said)).toHaveProperty("grant");
  expect(answerApproval(key, { ...asked, client: true }, { ...said, output: "ordered" })).not.toHaveProperty("grant");
});

describe("a policy", () => {
  it.each([
    ["allow", "ended", ["car"]],
    ["ask", "waiting", []],
    ["refuse", "ended", []],
  ] as const)("to %s overrides the tool's own rule", async (policy, status, expected) => {
    const effects: string[] = [];
    await using bench = await openBench(effects, { policies: { "shop.*": policy } });
    bench.simulator.script([{ reply: { calls: [order("car")] } }, { reply: { text: "Done." } }]);
    expect(await bench.turn("Order")).toMatchObject({ status });
    expect(effects).toEqual(expected);
    if (policy === "refuse") expect(JSON.stringify(await bench.blocks())).toContain("unknown_tool");
  });
});
