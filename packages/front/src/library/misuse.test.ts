/** Tests that mistakes of an application are refused at once, with an error that names the mistake. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { Application } from "../../test/open-application.ts";
import { agent } from "../define/agent.ts";
import { type Tool, tool } from "../define/tool.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import type { Cairn } from "./cairn.ts";
import type { Conversation } from "./conversation.ts";

const guide = agent({ name: "guide", model: scriptedModel(() => ({ say: "Yes." })), instructions: "Help." });

/** The options are untyped here, because TypeScript would reject the mistakes. */
const wrong = (options: unknown) => options as never;

describe("a wrong option of an agent is refused and named", () => {
  it.each<[string, object, string]>([
    ["an unknown option", { system: "Help." }, "`system`"],
    ["an unknown hook", { hooks: { beforeTools: () => undefined } }, "`beforeTools`"],
    ["a hook that is not a function", { hooks: { beforeTool: true } }, "`beforeTool`"],
    ["an unknown limit", { budgets: { iteration: 3 } }, "`iteration`"],
    ["a limit that is not a number", { budgets: { tokens: "many" } }, "`tokens`"],
    ["a user's limit without a window", { budgets: { user: { tokens: 5 } } }, "`windowMs`"],
    ["an unknown policy", { policies: { shop: "deny" } }, '"shop"'],
    ["an unknown setting of requests", { request: { temprature: 1 } }, "`temprature`"],
    ["a setting of requests that is out of range", { request: { temperature: 9 } }, "temperature"],
    ["an unknown setting of memory", { memory: { window: 1 } }, "`window`"],
    ["a context that is not a schema", { context: {} }, "`context`"],
    ["a model that cannot answer", { model: {} }, "model"],
    ["a fallback that is not a list", { fallback: "offline" }, "`fallback`"],
    ["no instructions", { instructions: undefined }, "`instructions`"],
  ])("%s", async (_, options, named) => {
    await expect(Application.open([wrong({ ...guide, ...options })])).rejects.toMatchObject({
      code: "bad_agent",
      message: expect.stringContaining(named),
    });
  });
});

describe("a wrong option of a tool is refused and named", () => {
  it.each<[object, string]>([
    [{ needsApproval: true }, "`needsApproval`"],
    [{ approval: "always" }, "`approval`"],
    [{ run: 5 }, "`run`"],
    [{ context: {} }, "`context`"],
  ])("%j", (options, named) => {
    const place = { name: "place", description: "Where.", input: z.object({}), run: () => null };
    const make = (): Tool => tool(wrong({ ...place, ...options }));
    expect(make).toThrow(expect.objectContaining({ code: "bad_tool", message: expect.stringContaining(named) }));
  });
});

it.each<[object, string]>([
  [{ concurency: 3 }, "`concurency`"],
  [{ store: "mysql://host/db" }, "mysql://"],
  [{ store: "" }, "`store`"],
  [{ log: {} }, "`info`"],
])("`createCairn` refuses %j and names it", async (options, named) => {
  await expect(Application.open([guide], options)).rejects.toMatchObject({
    code: "bad_config",
    message: expect.stringContaining(named),
  });
});

describe("a wrong option of a call is refused and named, and nothing is sent", () => {
  let app: Application;
  beforeAll(async () => {
    app = await Application.open([guide]);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it.each<[string, (cairn: Cairn, chat: Conversation) => unknown, string]>([
    // Without the check, the conversation would get the scope of the local user.
    ["conversation", (cairn) => cairn.conversation("c", wrong({ tennant: "acme" })), "`tennant`"],
    ["a user that is null", (cairn) => cairn.conversation("c", wrong({ user: null })), "`user`"],
    ["send", (_, chat) => chat.send("Hello", wrong({ file: ["./bill.pdf"] })), "`file`"],
    ["reasoning", (_, chat) => chat.send("Hello", wrong({ reasoning: { effort: "hgh" } })), "`reasoning.effort`"],
    ["context", (_, chat) => chat.send("Hello", wrong({ context: { big: 1n } })), "`context`"],
    [
      "a file",
      (_, chat) => chat.send("Hello", wrong({ files: [{ name: "a", data: "b", type: "c" }] })),
      "files[0].type",
    ],
    ["steer", (_, chat) => chat.steer("Hello", wrong({ output: z.object({}) })), "`output`"],
    ["fork", (_, chat) => chat.fork(wrong({ from: "turn_1" })), "`from`"],
    ["fork twice", (_, chat) => chat.fork({ before: "turn_1", after: "turn_1" }), "`before`"],
    ["messages", (_, chat) => chat.messages(wrong({ limt: 3 })), "`limt`"],
    ["approve", (_, chat) => chat.approve({ id: "a", hash: "b" }, wrong({ resaon: "Fine." })), "`resaon`"],
    ["approve nothing", (_, chat) => chat.approve(wrong(undefined)), "`approvals()`"],
    ["refuse", (_, chat) => chat.refuse({ id: "a", hash: "b" }, wrong({ why: "No." })), "`why`"],
    ["respond", (_, chat) => chat.respond({ id: "a", hash: "b" }, wrong({ result: 1 })), "`result`"],
    ["respond twice", (_, chat) => chat.respond({ id: "a", hash: "b" }, wrong({ output: 1, error: "x" })), "`output`"],
    ["batch", (cairn) => cairn.batch(["a"], wrong({ id: String, concurency: 3 })), "`concurency`"],
    ["an id of a batch", (cairn) => cairn.batch(["a"], wrong({ id: () => 5 })), "`id`"],
    ["import", (cairn) => cairn.import([{ role: "user", content: "Hello" }], wrong({ formt: "x" })), "`formt`"],
    ["a format", (cairn) => cairn.import([{ role: "user", content: "Hello" }], wrong({ format: "x" })), '"x"'],
  ])("%s", async (name, call, named) => {
    const chat = app.cairn.conversation(name);
    await expect((async () => call(app.cairn, chat))()).rejects.toMatchObject({
      message: expect.stringContaining(named),
      code: expect.stringMatching(/^bad_/),
    });
    await expect(chat.messages()).rejects.toMatchObject({ code: "not_found" });
  });
});

it("a batch of a closed Cairn throws, and reports no item as failed", async () => {
  await using app = await Application.open([guide]);
  await app.cairn.close();
  await expect(app.cairn.batch(["a"], { id: String })).rejects.toMatchObject({ code: "draining" });
});

it("a step of a scripted model that says and calls nothing is refused", () => {
  expect(() => scriptedModel([wrong({ sayy: "Hello." })])).toThrow("`sayy`");
  expect(() => scriptedModel([wrong({})])).toThrow("`say`");
});
