/** Tests an application with agents: messages, runs, tools, structured output and hooks. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Application, brief, partsOf } from "../../test/open-application.ts";
import { refund, refundTool } from "../../test/refund-tool.ts";
import { agent } from "../define/agent.ts";
import { type ToolCall, tool } from "../define/tool.ts";
import { scriptedModel } from "../testing/scripted-model.ts";

describe("a run", () => {
  it("reports notes, calls and the answer as they come, and its result has text, usage and cost", async () => {
    const seen: ToolCall[] = [];
    const model = scriptedModel([{ say: "Looking. ", ...refund("G1") }, { say: "It is **refunded**." }]);
    const support = agent({ name: "support", model, instructions: "Help.", tools: [refundTool(seen)] });
    await using app = await Application.open([support]);
    const chat = app.cairn.conversation("c1", { tenant: "globex", user: "ada", context: { plan: "pro" } });
    const run = await chat.send("Refund G1");
    expect(brief(await partsOf(run))).toEqual([
      ...["text Looking. ", "tool refund running", "tool refund done", "text It is **refunded**."],
    ]);
    const result = await run.result;
    expect(result).toMatchObject({ exit: "complete", text: "It is **refunded**.", files: [], sources: [] });
    expect(result.usage.input).toBeGreaterThan(0);
    expect(result.usage.output).toBeGreaterThan(0);
    // The price of a scripted model is unknown.
    expect(result.cost).toBeNull();
    expect(seen).toMatchObject([
      { scope: { tenant: "globex", user: "ada" }, conversation: "c1", turn: run.id, context: { plan: "pro" } },
    ]);
  });

  it("of a turn that has ended reports the same texts again, and has the same result", async () => {
    const support = agent({ name: "a", model: scriptedModel([{ say: "Tea is ready." }]), instructions: "Help." });
    await using app = await Application.open([support]);
    const chat = app.cairn.conversation("c1");
    const first = await chat.send("Tea?", { id: "1" });
    const result = await first.result;
    const again = await chat.send("Tea?", { id: "1" });
    expect(again.id).toBe(first.id);
    expect(brief(await partsOf(again))).toEqual(["text Tea is ready."]);
    expect(await again.result).toEqual(result);
  });

  it("reports files and plans, and `read` reads every version of a file", async () => {
    const path = (turn: string) => `fi:${turn}.files/a.md`;
    const write = (content: string) => ({
      call: "react.write",
      input: { path: "files/a.md", channel: "canvas", content },
    });
    const model = scriptedModel([
      { call: "react.plan", input: { mode: "new", steps: ["Write", "Check"] } },
      ...[write("one"), write("two"), { say: "Done." }],
    ]);
    await using app = await Application.open([agent({ name: "a", model, instructions: "Write." })]);
    const chat = app.cairn.conversation();
    const run = await chat.send("Write a file.");
    const parts = await partsOf(run);
    expect(brief(parts)).toEqual(expect.arrayContaining(["plan 2", "file a.md"]));
    expect((await run.result).files.map(({ name }) => name)).toContain("a.md");
    expect((await chat.read(path(run.id))).text).toContain("two");
    const earlier = await chat.read(`${path(run.id)}@v1`);
    expect([Buffer.from(await earlier.bytes()).toString(), earlier.version]).toEqual(["one", 1]);
    await expect(chat.read("fi:turn_0.files/none.md")).rejects.toMatchObject({ code: "not_found" });
  });

  it("whose turn fails rejects with the error's code, and its iteration ends", async () => {
    const model = { ...scriptedModel([]), contextTokens: 100 };
    await using app = await Application.open([agent({ name: "a", model, instructions: "Help." })]);
    const run = await app.cairn.conversation().send("Hello");
    await partsOf(run);
    await expect(run.result).rejects.toMatchObject({ code: "context_too_small", details: { turn: run.id } });
  });

  it("falls back to another model, and says so", async () => {
    const broken = scriptedModel([]);
    const model = {
      ...broken,
      id: "broken",
      // biome-ignore lint/correctness/useYield: a model that fails before its first part.
      stream: async function* () {
        const { ModelError } = await import("@cairn/agent");
        throw new ModelError("fatal", "The key is wrong.");
      },
    };
    const fallback = [scriptedModel([{ say: "From the other one." }])];
    await using app = await Application.open([agent({ name: "a", model, fallback, instructions: "Help." })]);
    const run = await app.cairn.conversation().send("Hello");
    expect(brief(await partsOf(run))).toEqual(
      expect.arrayContaining(["notice model_fallback", "text From the other one."]),
    );
  });
});

describe("a message", () => {
  const hello = () =>
    agent({ name: "a", model: scriptedModel([{ say: "One." }, { say: "Two." }]), instructions: "Help." });

  it("with the id of another message throws, and is not sent", async () => {
    await using app = await Application.open([hello()]);
    const chat = app.cairn.conversation("c1");
    await (await chat.send("Hello", { id: "1" })).result;
    await expect(chat.send("Goodbye", { id: "1" })).rejects.toMatchObject({ code: "idempotency_conflict" });
    for (const other of [{ output: z.object({ n: z.number() }) }, { reasoning: { effort: "high" as const } }])
      await expect(chat.send("Hello", { id: "1", ...other })).rejects.toMatchObject({ code: "idempotency_conflict" });
    expect(await (await chat.send("Hello", { id: "1", context: { plan: "pro" } })).result).toMatchObject({
      text: "One.",
    });
    expect((await chat.messages()).map(({ text }) => text)).toEqual(["Hello", "One."]);
  });

  it("with a wrong attachment names its field, and leaves no conversation behind", async () => {
    await using app = await Application.open([hello()]);
    const chat = app.cairn.conversation("c1");
    const wrong: readonly (readonly [unknown, string])[] = [
      [["./none.pdf"], "files[0]"],
      [[{ name: "", data: "x" }], "files[0].name"],
      [
        [
          { name: "a", data: "x" },
          { name: "b", data: 7 },
        ],
        "files[1].data",
      ],
      [[{ name: "a", data: "x", mime: 1 }], "files[0].mime"],
      [["."], "files[0]"],
      ["a.pdf", "files"],
      [[7], "files[0]"],
    ];
    for (const [files, field] of wrong)
      await expect(chat.send("Read", { files: files as [] })).rejects.toMatchObject({
        code: "bad_attachment",
        message: expect.stringContaining(`\`${field}\``),
        details: { field },
      });
    await expect(chat.messages()).rejects.toMatchObject({ code: "not_found" });
  });

  it("brings files by path and by content", async () => {
    await using app = await Application.open([hello()]);
    await writeFile(join(app.folder, "bill.txt"), "42 EUR");
    const chat = app.cairn.conversation();
    const data = new Blob(["a,b\n1,2\n"]);
    await (await chat.send("Read", { files: [join(app.folder, "bill.txt"), { name: "t.csv", data }] })).result;
    const [message] = await chat.messages();
    expect(message?.files.map(({ name, mime }) => [name, mime])).toEqual([
      ["bill.txt", "text/plain"],
      ["t.csv", "text/csv"],
    ]);
    const texts = (message?.files ?? []).map(async ({ path }) => (await chat.read(path)).text);
    expect(await Promise.all(texts)).toEqual(["42 EUR", "a,b\n1,2\n"]);
  });

  it("with a context that its agent does not accept names the field, and a default of the schema reaches the tool", async () => {
    const context = z.object({ plan: z.enum(["free", "pro"]), seats: z.number().default(1) });
    const seen: unknown[] = [];
    const who = tool({
      name: "who",
      description: "Says who asks.",
      input: z.object({}),
      context,
      run: (_, call) => seen.push(call.context.seats),
    });
    const model = scriptedModel([{ call: "who" }, { say: "You." }]);
    const announce = ({ context: { plan, seats } }: { context: z.output<typeof context> }) => `${plan} with ${seats}`;
    await using app = await Application.open([
      agent({ name: "a", model, instructions: "Help.", tools: [who], context, announce }),
    ]);
    const chat = app.cairn.conversation("c1", { context: { plan: "gold" } });
    await expect(chat.send("Who?")).rejects.toMatchObject({ code: "bad_context", details: { field: "context.plan" } });
    await expect(chat.messages()).rejects.toMatchObject({ code: "not_found" });
    await (await chat.send("Who?", { context: { plan: "pro" } })).result;
    expect(seen).toEqual([1]);
    const sent = model.requests.map(({ view }) => JSON.stringify(view.messages().slice(view.stableLength)));
    for (const tail of sent) expect(tail).toContain("pro with 1");
  });
});

describe("a tool", () => {
  const play = async (run: () => unknown) => {
    const odd = tool({ name: "odd", description: "Odd.", input: z.object({}), run });
    const model = scriptedModel([{ call: "odd" }, { say: "Done." }]);
    await using app = await Application.open([agent({ name: "a", model, instructions: "Help.", tools: [odd] })]);
    const parts = await partsOf(await app.cairn.conversation().send("Go"));
    return parts.find((part) => part.type === "tool" && part.status !== "running");
  };

  it.each([
    [
      { ok: false, why: "x" },
      { ok: false, why: "x" },
    ],
    [{ error: { code: "x", message: "y" } }, { result: { error: { code: "x", message: "y" } } }],
    [{ ret: 1 }, { ret: 1 }],
    ["plain", "plain"],
    [undefined, null],
    [
      [1, null],
      [1, null],
    ],
    [false, false],
  ])("may return anything, and %j is a result", async (returned, output) => {
    expect(await play(() => returned)).toMatchObject({ status: "done", output, error: null });
  });

  it("a tool that throws fails the call with its message, and so does a result that is not JSON", async () => {
    expect(await play(() => play)).toMatchObject({
      status: "failed",
      error: { message: "The tool returned a function. Return a value that JSON can represent." },
    });
    const broken = () => {
      throw new Error("The shop is closed.");
    };
    expect(await play(broken)).toMatchObject({ status: "failed", error: { message: "The shop is closed." } });
    expect(await play(() => 1n)).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("BigInt") },
    });
  });
});

describe("createCairn", () => {
  it("reports mistakes in its agents", async () => {
    const a = agent({ name: "a", instructions: "Help." });
    await expect(Application.open([])).rejects.toMatchObject({ code: "bad_agent" });
    await expect(Application.open([a, a])).rejects.toMatchObject({ code: "bad_agent" });
    await expect(Application.open([{ ...a, model: "anthropic:claude-sonnet-5" }], { env: {} })).rejects.toMatchObject({
      code: "model_key_missing",
    });
    await expect(Application.open([{ ...a, mcp: "./none.json" }])).rejects.toMatchObject({
      code: "bad_agent",
      message: expect.stringContaining("agent a"),
    });
    await using app = await Application.open([a]);
    expect(() => app.cairn.conversation("c1", { agent: "b" })).toThrow(expect.objectContaining({ code: "bad_agent" }));
  });

  it("says that schemas must be of zod 4, when a tool or a message has another one", async () => {
    const other: never = { "~standard": { version: 1, vendor: "other" } } as never;
    const message = expect.stringContaining("a schema of zod 4");
    const a = agent({ name: "a", instructions: "Help." });
    const odd = tool({ name: "odd", description: "Odd.", input: other, run: () => null });
    await expect(Application.open([{ ...a, tools: [odd] }])).rejects.toMatchObject({ code: "bad_tool", message });
    await using app = await Application.open([a]);
    const sent = app.cairn.conversation("c1").send("Grade it.", { output: other });
    await expect(sent).rejects.toMatchObject({ code: "bad_output_schema", message });
  });
});

describe("structured output", () => {
  const Grade = z.object({ score: z.number(), why: z.string().default("none given") });

  it("is validated, repaired and typed, and a batch has it too", async () => {
    const model = scriptedModel(({ view }) => ({
      say: JSON.stringify(view.messages()).includes("does not match") ? '{"score":2}' : '{"score":"two"}',
    }));
    await using app = await Application.open([agent({ name: "grader", model, instructions: "Grade." })]);
    const run = await app.cairn.conversation("c1").send("Grade it", { output: Grade });
    const { output } = await run.result;
    const score: number = output.score;
    expect([score, output.why]).toEqual([2, "none given"]);
    const [result] = await app.cairn.batch(["Essay"], { id: (text) => text, output: Grade });
    expect(result?.ok === true && result.output.score).toBe(2);
  });

  it("structured output that is missing throws when it is read, and says how the turn ended", async () => {
    const grader = agent({
      name: "grader",
      model: scriptedModel(() => ({ call: "ask_user", input: { question: "Which?" } })),
      instructions: "Grade.",
    });
    await using app = await Application.open([grader]);
    const result = await (await app.cairn.conversation("c1").send("Grade it", { output: Grade })).result;
    expect(result.exit).toBe("clarify");
    expect(() => result.output).toThrow(expect.objectContaining({ code: "no_output", details: { exit: "clarify" } }));
    await expect(app.cairn.conversation("c2").send("x", { output: z.string() })).rejects.toMatchObject({
      code: "bad_output_schema",
    });
  });
});

describe("hooks", () => {
  it("run before and after calls, and may refuse them", async () => {
    const calls: string[] = [];
    const hooks = {
      beforeTool: async ({ tool: name, scope }: { tool: string; scope: { tenant: string } }) => {
        calls.push(`${scope.tenant} ${name}`);
        return { refuse: "Not on Sundays." };
      },
    };
    const model = scriptedModel([refund("G1"), { say: "No." }]);
    await using app = await Application.open([
      agent({ name: "a", model, instructions: "Help.", tools: [refundTool()], hooks }),
    ]);
    const parts = await partsOf(await app.cairn.conversation("c1", { tenant: "globex" }).send("Refund G1"));
    expect(calls).toEqual(["globex refund"]);
    expect(brief(parts)).not.toContain("tool refund done");
  });

  it("may change the input of a call, and the call says that the application changed it", async () => {
    const order = tool({
      name: "order",
      description: "Orders.",
      input: z.object({ size: z.number() }),
      run: ({ size }) => size,
    });
    const hooks = { beforeTool: () => ({ params: { size: 3 } }) };
    const model = scriptedModel([{ call: "order", input: { size: 5 } }, { say: "Ordered." }]);
    await using app = await Application.open([
      agent({ name: "a", model, instructions: "Help.", tools: [order], hooks }),
    ]);
    const chat = app.cairn.conversation("c1");
    const parts = await partsOf(await chat.send("Order."));
    const changed = { name: "order", input: { size: 3 }, changedBy: "application" };
    expect(parts.filter(({ type }) => type === "tool")).toMatchObject([changed, { ...changed, output: 3 }]);
    expect((await chat.messages()).at(-1)?.tools).toMatchObject([changed]);
  });

  it("that replace an answer withdraw what was shown of it", async () => {
    const model = scriptedModel([{ say: "The secret is 42." }]);
    const hooks = { afterTurn: () => ({ refuse: "I cannot tell." }) };
    await using app = await Application.open([agent({ name: "a", model, instructions: "Help.", hooks })]);
    const run = await app.cairn.conversation("c1").send("What is the secret?");
    expect(brief(await partsOf(run))).toEqual([
      ...["text The secret is 42.", "notice text_withdrawn", "text I cannot tell."],
    ]);
    await expect(run.result).rejects.toMatchObject({ code: "hook_refused", details: { text: "I cannot tell." } });
  });
});
