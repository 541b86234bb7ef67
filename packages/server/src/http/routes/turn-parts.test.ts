/** Tests that a turn over HTTP has the same parts as a run of the library. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedStore } from "@cairn/store";
import { Timeline } from "@cairn/timeline";
import { agent, type Cairn, createCairn, type Run, tool } from "cairn-agent";
import { scriptedModel } from "cairn-agent/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { createHandler } from "../../handler.ts";

let folder: string;
let cairn: Cairn;
let get: (path: string, user?: string) => Promise<Response>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-parts-"));
  const pay = tool({
    name: "pay",
    description: "Pays.",
    input: z.object({}),
    approval: true,
    run: () => ({ paid: 5 }),
  });
  const model = scriptedModel(({ view }) => {
    const said = JSON.stringify(view.messages());
    if (said.includes("Fail")) return { say: "No." };
    return said.includes("paid") ? { say: "It is **paid**." } : { call: "pay", say: "Looking. " };
  });
  const hooks = {
    afterTurn: ({ text }: { text: string }) => (text === "No." ? { refuse: "I cannot." } : undefined),
  };
  const store = join(folder, "data");
  cairn = await createCairn({
    agents: [agent({ name: "a", model, instructions: "Help.", tools: [pay], hooks })],
    store,
  });
  const { fetch } = createHandler(cairn, {
    authenticate: ({ headers }) => ({ tenant: "acme", user: headers.get("x-user") ?? "ada" }),
  });
  get = async (path, user = "ada") =>
    fetch(new Request(`https://shop.example/api/conversations/${path}`, { headers: { "x-user": user } }));
});
afterAll(async () => {
  await cairn.close();
  await rm(folder, { recursive: true, force: true });
});

async function partsOver(path: string): Promise<readonly { readonly type: string }[]> {
  const text = await (await get(path)).text();
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, json = ""]) => JSON.parse(json));
}

/** The parts of a run, and its result, as JSON can represent them. */
async function partsOfRun(run: Run): Promise<unknown[]> {
  const parts: unknown[] = await Array.fromAsync(run);
  const result = await run.result.catch((error) => ({ exit: "error", error: { code: error.code } }));
  return JSON.parse(JSON.stringify([...parts, { type: "result", error: null, ...result }]));
}

it("waits where a run waits, goes on after the answer, and ends with the result", async () => {
  const chat = cairn.conversation("c1", { tenant: "acme", user: "ada" });
  const run = await chat.send("Pay");
  const waiting = await partsOver(`c1/turns/${run.id}/parts`);
  expect(waiting.map(({ type }) => type)).toEqual(expect.arrayContaining(["text", "approval", "result"]));
  expect(waiting.at(-1)).toMatchObject({ type: "result", exit: "waiting", approvals: [{ tool: "pay" }] });
  const [approval] = await chat.approvals();
  if (approval === undefined) throw new Error("nothing waits");
  await chat.approve(approval);
  await (await chat.resume())?.result;
  const over = await partsOver(`c1/turns/${run.id}/parts`);
  expect(over.at(-1)).toMatchObject({ type: "result", exit: "complete", text: "It is **paid**." });
  const again = await chat.send("Pay more");
  await again.result;
  expect(await partsOver(`c1/turns/${again.id}/parts`)).toEqual(await partsOfRun(again));
});

it("reports the end of a turn that failed, with its error", async () => {
  const run = await cairn.conversation("c2", { tenant: "acme", user: "ada" }).send("Fail");
  const [end, ...others] = (await partsOver(`c2/turns/${run.id}/parts`)).toReversed();
  expect(end).toMatchObject({ type: "result", exit: "error", error: { code: "hook_refused" }, text: "I cannot." });
  expect(others.some(({ type }) => type === "text")).toBe(true);
});

it("names a source of earlier turns by its short fields, and keeps no text of it while the stream is open", async () => {
  const timeline = Timeline.create({ clock: Date, countTokens: (text) => text.length });
  const url = "https://example.com/";
  const rows = [
    { sid: 1, url, title: "Prices", text: "long ".repeat(10), content: "longer ".repeat(10), key: "blob" },
    { sid: 2, url: `${url}2`, title: "x".repeat(10_001), pages: [{ text: "long" }], size_bytes: 5 },
  ];
  // So many sources that the last one exceeds the maximum.
  const many = Array.from({ length: 450 }, (_, n) => ({ sid: n + 3, title: "x".repeat(9_990) }));
  timeline.record("sources.merged", { rows: [...rows, ...many] });
  timeline.openTurn("turn_1");
  const path = "ar:turn_1.assistant.completion";
  const text = "See [[S:1,2,452]].";
  const meta = { sources_known: 452 };
  timeline.contribute([{ type: "assistant.completion", turn_id: "turn_1", path, text, meta }]);
  timeline.closeTurn("complete");
  const store = await openEmbeddedStore({ dir: join(folder, "data") });
  const key = { tenant: "acme", project: "default", user: "ada", conversation: "c4" };
  await store.createConversation(key, { events: timeline.takeEvents() });
  await store.close();
  const end = (await partsOver("c4/turns/turn_1/parts")).at(-1);
  expect(end).toMatchObject({ type: "result", exit: "complete" });
  expect(end).toHaveProperty("sources", [
    { sid: 1, url, title: "Prices" },
    { sid: 2, url: `${url}2`, size_bytes: 5 },
  ]);
});

it("knows no turn of another user, and none that does not exist", async () => {
  const run = await cairn.conversation("c3", { tenant: "acme", user: "ada" }).send("Fail");
  await run.result.catch(() => undefined);
  expect((await get(`c3/turns/${run.id}/parts`, "bob")).status).toBe(404);
  expect((await get("c3/turns/turn_0/parts")).status).toBe(404);
});
