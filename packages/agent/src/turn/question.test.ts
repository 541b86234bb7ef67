/**
 * Tests questions of a running call to a person. The call waits without a running turn, and continues with the answer.
 */
import { TurnBench } from "@cairn/testkit/turns";
import { type Json, makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { answerApproval, type ConsentAnswer, questionHash } from "../tool/consent.ts";
import { Asking } from "../tool/question.ts";
import { defineTool } from "../tool/tool.ts";

const TS = "2026-02-09T10:00:01Z";
const FORM = {
  type: "object",
  properties: { size: { type: "string", enum: ["S", "M"] }, gift: { type: "boolean", default: true } },
  required: ["size"],
};

async function openBench(withdrawn: unknown[] = []) {
  const shop = defineTool({
    id: "shop.order",
    description: "Orders.",
    params: z.object({ what: z.string() }),
    run: async ({ what }, { answered }) => {
      if (answered === undefined) return new Asking({ message: "Which size?", form: FORM }, { secret: "s1" });
      const { action, content, state } = answered;
      return { ok: true, ret: { what, action, content, state } };
    },
    withdraw: (state) => withdrawn.push(state),
  });
  const bench = await TurnBench.open({ agent: { tools: [shop] } });
  bench.simulator.script([
    { reply: { calls: [{ name: "shop__order", input: { what: "shirt" } }] } },
    { reply: { text: "Done." } },
  ]);
  await bench.say("Order a shirt.");
  expect(await bench.run()).toMatchObject({ status: "waiting" });
  return bench;
}

/** A tool that asks the same question twice. */
async function openRepeating() {
  const confirm = defineTool({
    id: "shop.confirm",
    description: "Confirms.",
    params: z.object({}),
    run: async (_, { answered }) => {
      const { said = [] } = (answered?.state ?? {}) as { readonly said?: Json[] };
      const all = answered === undefined ? [] : [...said, answered.content];
      return all.length < 2
        ? new Asking({ message: "Which size?", form: FORM }, { said: all })
        : { ok: true, ret: all };
    },
  });
  const bench = await TurnBench.open({ agent: { tools: [confirm] } });
  bench.simulator.script([{ reply: { calls: [{ name: "shop__confirm", input: {} }] } }, { reply: { text: "Done." } }]);
  await bench.say("Confirm twice.");
  expect(await bench.run()).toMatchObject({ status: "waiting" });
  return bench;
}

async function asked(bench: TurnBench) {
  const [request] = (await bench.store.load(bench.key)).state.approvalsRequested.values();
  if (request === undefined) throw new Error("Nothing was asked.");
  return request;
}

async function answer(bench: TurnBench, given: Omit<ConsentAnswer, "ts">) {
  const body = answerApproval(bench.key, await asked(bench), { ts: TS, ...given });
  await bench.append(makeEvent("approval.given", body));
  return await bench.run();
}

const shown = (bench: TurnBench) => bench.simulator.requests.at(-1)?.request?.texts.join("\n") ?? "";

describe("a question of a call", () => {
  it("is stored with its form, and the call continues with the answer, its defaults and its own state", async () => {
    await using bench = await openBench();
    expect(await asked(bench)).toMatchObject({ question: { message: "Which size?", form: FORM } });
    expect(await bench.run()).toMatchObject({ status: "waiting" });
    expect(await answer(bench, { approve: true, answer: { size: "M" } })).toMatchObject({ status: "ended" });
    expect(shown(bench)).toContain('"action":"accept","content":{"gift":true,"size":"M"},"state":{"secret":"s1"}');
    expect((await bench.store.load(bench.key)).state.approvalsRequested.size).toBe(0);
  });

  it.each([
    [{ approve: false }, "decline", "declined to answer"],
    [{ approve: false, dismiss: true }, "cancel", "closed the question"],
  ] as const)("reaches the tool with %j as %s", async (given, action, words) => {
    await using bench = await openBench();
    await answer(bench, given);
    expect(shown(bench)).toContain(`"action":"${action}","content":{}`);
    expect(shown(bench)).toContain(`The user ${words}.`);
  });

  it("rejects an answer that does not match the form", async () => {
    await using bench = await openBench();
    await expect(answer(bench, { approve: true, answer: { size: "XL" } })).rejects.toMatchObject({
      code: "bad_request",
      details: { field: "size" },
    });
    await expect(answer(bench, { approve: true })).rejects.toMatchObject({ code: "bad_request" });
    await expect(answer(bench, { approve: true, params: {} })).rejects.toMatchObject({ code: "bad_request" });
  });

  it("is not answered by an approval without an answer, because the person may not have seen it", () => {
    const key = { tenant: "t", project: "p", user: "u", conversation: "c" };
    const question = { message: "Visit the page.", url: "https://shop.example/pay" };
    const request = { call_id: "c1", ts: TS, hash: "h", question };
    expect(() => answerApproval(key, request, { ts: TS, approve: true })).toThrow("Send an `answer`");
    expect(answerApproval(key, request, { ts: TS, approve: true, answer: {} })).toMatchObject({ answer: {} });
  });

  it("may be asked twice in one call, and each asking gets its own answer", async () => {
    await using bench = await openRepeating();
    const first = await asked(bench);
    expect(await answer(bench, { approve: true, answer: { size: "S" } })).toMatchObject({ status: "waiting" });
    expect((await asked(bench)).hash).not.toBe(first.hash);
    expect(await answer(bench, { approve: true, answer: { size: "M" } })).toMatchObject({ status: "ended" });
    expect(shown(bench)).toContain('[{"gift":true,"size":"S"},{"gift":true,"size":"M"}]');
  });

  it("a question of a call that an earlier version asked keeps its hash", () => {
    const key = { tenant: "t", project: "p", user: "u", conversation: "c" };
    const subject = { turnId: "turn_1", callId: "c1", toolId: "shop.order", question: { message: "Which size?" } };
    expect(questionHash(key, subject)).toBe("0613afe072672280a87da265e2fd0f7f312cd7420afa2b28021e894381f1bd00");
    expect(questionHash(key, { ...subject, asking: 4 })).not.toBe(questionHash(key, { ...subject, asking: 5 }));
  });

  it("is withdrawn when the turn is cancelled", async () => {
    const withdrawn: unknown[] = [];
    await using bench = await openBench(withdrawn);
    await bench.append(makeEvent("cancel.requested", { key: "stop", ts: TS }));
    expect(await bench.run()).toMatchObject({ status: "ended", end: { exit: "cancelled" } });
    expect(withdrawn).toEqual([{ secret: "s1" }]);
  });
});
