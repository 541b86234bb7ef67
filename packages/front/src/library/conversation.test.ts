/** Tests conversations that are steered, stopped, forked or run by another process, and withdrawn messages. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Application, brief, partsOf } from "../../test/open-application.ts";
import { agent } from "../define/agent.ts";
import { tool } from "../define/tool.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { withdrawMessage } from "../turns/cancel-turn.ts";
import { partsOf as innerParts } from "./cairn.ts";

describe("a message that is withdrawn before its turn begins", () => {
  it("ends its runs as cancelled, and cannot be sent again under its id", async () => {
    const helper = agent({ name: "a", model: scriptedModel([]), instructions: "Help." });
    await using app = await Application.open([helper], { concurrency: 0 });
    const chat = app.cairn.conversation("c1");
    const run = await chat.send("Hello?", { id: "1" });
    const joined = await chat.resume();
    const ends = Promise.all([run.result, joined?.result, partsOf(run)]);
    await withdrawMessage(innerParts(app.cairn), { ...chat.scope, conversation: "c1" }, "send-1");
    expect(await ends).toMatchObject([{ exit: "cancelled", text: "" }, { exit: "cancelled" }, []]);
    await expect(chat.send("Hello?", { id: "1" })).rejects.toMatchObject({
      code: "idempotency_conflict",
      message: expect.stringContaining("withdrawn"),
    });
    expect((await chat.send("Hello?", { id: "2" })).id).not.toBe(run.id);
  });
});

describe("a conversation", () => {
  it("is steered and stopped, and a stopped run keeps its text", async () => {
    const begun = Promise.withResolvers<void>();
    const wait = tool({
      name: "wait",
      description: "Waits.",
      input: z.object({}),
      run: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          begun.resolve();
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    });
    const model = scriptedModel([{ call: "wait" }]);
    await using app = await Application.open([agent({ name: "a", model, instructions: "Wait.", tools: [wait] })]);
    const chat = app.cairn.conversation("c1");
    const run = await chat.send("Wait");
    await begun.promise;
    await chat.steer("And hurry.");
    const joined = await chat.resume();
    expect(joined?.id).toBe(run.id);
    await chat.cancel();
    expect(await run.result).toMatchObject({ exit: "cancelled" });
    expect((await joined?.result)?.exit).toBe("cancelled");
    // The stopped turn did not read the steering message, so this message opens a turn of its own.
    const next = await chat.resume();
    expect(next?.id).not.toBe(run.id);
    await next?.result;
    expect(await chat.resume()).toBeNull();
  });

  it("lists the calls of a turn that has no answer yet", async () => {
    const order = tool({
      name: "order",
      description: "Orders.",
      input: z.object({}),
      approval: true,
      run: () => "done",
    });
    const model = scriptedModel([{ call: "order" }, { say: "Ordered." }]);
    await using app = await Application.open([agent({ name: "a", model, instructions: "Order.", tools: [order] })]);
    const chat = app.cairn.conversation("c1");
    const run = await chat.send("Tea");
    for await (const part of run) {
      if (part.type !== "approval") continue;
      expect(await chat.messages()).toMatchObject([
        { role: "user", text: "Tea", tools: [] },
        { role: "assistant", text: "", at: null, tools: [{ name: "order", status: "running" }] },
      ]);
      await part.approve();
    }
    const done = { role: "assistant", text: "Ordered.", tools: [{ name: "order", status: "done", output: "done" }] };
    expect((await chat.messages()).slice(1)).toMatchObject([done]);
  });

  it("is forked, its receipts say what was sent, and each request extends the one before", async () => {
    const { toExtendPrefix } = await import("../testing/extend-prefix.ts");
    expect.extend({ toExtendPrefix });
    const model = scriptedModel([{ say: "One." }, { say: "Two." }, { say: "Other." }]);
    await using app = await Application.open([agent({ name: "a", model, instructions: "Count." })]);
    const chat = app.cairn.conversation("c1");
    const first = await chat.send("1");
    await first.result;
    await (await chat.send("2")).result;
    const fork = await chat.fork({ after: first.id });
    await (await fork.send("3")).result;
    expect((await fork.messages()).map(({ role, text }) => `${role} ${text}`)).toEqual([
      ...["user 1", "assistant One.", "user 3", "assistant Other."],
    ]);
    expect((await chat.receipts()).map(({ model: id, purpose }) => `${id} ${purpose}`)).toEqual([
      ...["scripted decision", "scripted decision"],
    ]);
    expect(toExtendPrefix(model.requests[1]?.view, model.requests[0]?.view).pass).toBe(true);
  });

  it("is run by another process when this one runs no turns", async () => {
    const worker = agent({ name: "a", model: scriptedModel([{ say: "From the worker." }]), instructions: "Help." });
    const front = agent({ name: "a", model: scriptedModel([]), instructions: "Help." });
    await using app = await Application.open([front], { concurrency: 0 });
    const run = await app.cairn.conversation("c1").send("Who runs this?");
    await app.another([worker]);
    expect(brief(await partsOf(run)).at(-1)).toBe("text From the worker.");
  });

  it("of an agent that this process does not have is left to a process that has it", async () => {
    const problems: string[] = [];
    const note = (message: string) => void problems.push(message);
    const log = { info: () => undefined, warn: note, error: note };
    const named = (name: string) =>
      agent({ name, model: scriptedModel([{ say: `I am ${name}.` }]), instructions: "Help." });
    await using app = await Application.open([named("b")], { concurrency: 0 });
    const run = await app.cairn.conversation("c1").send("Who are you?");
    const stranger = await app.another([named("a")], { log });
    // This process sees both messages before it answers its own, because its own came later.
    expect((await (await stranger.conversation("c2").send("And you?")).result).text).toBe("I am a.");
    await app.another([named("b")]);
    expect((await run.result).text).toBe("I am b.");
    expect(problems).toEqual([]);
  });

  it("a conversation that was closed is rejected, and a run that is watched ends with an error", async () => {
    await using app = await Application.open([agent({ name: "a", model: scriptedModel([]), instructions: "Help." })], {
      concurrency: 0,
    });
    const run = await app.cairn.conversation("c1").send("Hello");
    const result = run.result;
    result.catch(() => undefined);
    await app.cairn.close();
    await expect(result).rejects.toMatchObject({ code: "closed" });
  });
});
