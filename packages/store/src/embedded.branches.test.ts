/**
 * Tests that a thousand branches of one conversation do not slow down other conversations, and that deleting them
 * leaves nothing.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeEvent } from "@cairn/timeline";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { copyStore } from "./copy-store.ts";
import type { EmbeddedStore } from "./embedded-options.ts";
import { openEmbeddedStore } from "./embedded-store.ts";
import { Database } from "./sqlite/database.ts";

const scope = { tenant: "t", project: "p", user: "u" };
const named = (conversation: string) => ({ ...scope, conversation });
const dir = mkdtempSync(join(tmpdir(), "cairn-branches-"));
const TS = "2026-02-09T00:00:00.000Z";
let store: EmbeddedStore;

beforeAll(async () => {
  store = await openEmbeddedStore({ dir, sync: "off" });
  await store.createConversation(named("trunk"), { events: turn(1, "turn_1") });
});
afterAll(async () => {
  await store.close();
  rmSync(dir, { recursive: true });
});

function turn(nth: number, turn_id: string) {
  const block = { type: "user.prompt", turn_id, path: `ar:${turn_id}.user.prompt`, text: `secretword${turn_id}` };
  return [
    makeEvent("turn.opened", { turn_id, ts: TS }),
    makeEvent("block.appended", { position: nth - 1, block, tokens: 1, version: 1 }),
    makeEvent("turn.closed", { turn_id, ts: TS, exit: "complete" }),
  ];
}

/** The number of statements that a call runs, and of rows that they return. */
async function workOf(call: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const spies = (["all", "get", "run"] as const).map((name) => {
    const real = Database.prototype[name] as (...values: unknown[]) => Generator<never, unknown>;
    return vi.spyOn(Database.prototype, name).mockImplementation(function* (this: Database, ...values: unknown[]) {
      const result = yield* real.apply(this, values);
      count += 1 + (Array.isArray(result) ? result.length : 0);
      return result;
    } as never);
  });
  try {
    await call();
    return count;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

async function addBranch(nth: number): Promise<void> {
  await store.branch(named("trunk"), 3, `branch ${nth}`);
  const { token, last_timeline_seq } = await store.acquireLease(named(`branch ${nth}`), "w", 60_000);
  const lease = { token, expectedSeq: last_timeline_seq };
  await store.append(named(`branch ${nth}`), turn(2, `turn_2_${nth}`), { lease });
}

async function works(nth: number) {
  const [trunk, branch] = [named("trunk"), named(`branch ${nth}`)];
  return {
    list: await workOf(() => store.listConversations(scope)),
    loadTrunk: await workOf(() => store.load(trunk)),
    loadBranch: await workOf(() => store.load(branch)),
    appendToTrunk: await workOf(() => store.append(trunk, [makeInput(nth)])),
    appendToBranch: await workOf(() => store.append(branch, [makeInput(nth)])),
    branch: await workOf(() => store.branch(branch, 3, `extra ${nth}`)),
    show: await workOf(() => store.show(branch)),
  };
}

function makeInput(nth: number) {
  return makeEvent("input.received", { key: `k${nth}`, mode: "turn", message: "m", attachments: [], ts: TS });
}

test("a thousand branches cost lists, loads and appends no more than ten, and copy nothing", async () => {
  for (let nth = 1; nth <= 10; nth++) await addBranch(nth);
  const few = await works(10);
  for (let nth = 11; nth <= 1_000; nth++) await addBranch(nth);
  const many = await works(1_000);
  // The first measurement has appended one event to the original conversation, which `loadTrunk` also reads.
  expect({ ...many, loadTrunk: many.loadTrunk - 1 }).toEqual(few);
  const db = new DatabaseSync(join(dir, "cairn.db"), { readOnly: true });
  const count = (table: string) => Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
  expect(count("events")).toBe(3 + 1_000 * 3 + 4);
  expect(count("turns")).toBe(1_001);
  expect(count("lineage")).toBe(2 * 1_002);
  // The list reads its page from the index of listed conversations only.
  const plan = db
    .prepare(
      `EXPLAIN QUERY PLAN SELECT c.* FROM conversations c WHERE c.scope = 1 AND c.unlisted = 0 AND c.stage = 0
        AND (c.last_activity_at, c.id) < (9, 9) ORDER BY c.last_activity_at DESC, c.id DESC LIMIT 9`,
    )
    .all();
  expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining("USING INDEX conversations_listed")]);
  db.close();
  expect((await store.listConversations(scope)).items).toHaveLength(1);
  const [versions] = await store.versions(named("branch 500"));
  expect(versions).toMatchObject({ turn: 2, current: 499 });
  expect(versions?.conversations).toHaveLength(1_000);
});

test("after the trunk and the last branch are deleted, no text of them is in the files", async () => {
  const own = mkdtempSync(join(tmpdir(), "cairn-branches-"));
  const trees = await openEmbeddedStore({ dir: own });
  await trees.createConversation(named("trunk"), { events: turn(1, "turn_1") });
  await trees.branch(named("trunk"), 3, "branch");
  const { token } = await trees.acquireLease(named("trunk"), "w", 60_000);
  await trees.append(named("trunk"), turn(2, "turn_2"), { lease: { token, expectedSeq: 3 } });
  const holds = (text: string) =>
    ["cairn.db", "cairn.db-wal"].some((file) => contentOf(join(own, file)).includes(text));
  await trees.search(scope, "secretword");
  await trees.deleteConversation(named("trunk"));
  await trees.gc({ graceMs: 0 });
  expect([holds("secretwordturn_1"), holds("secretwordturn_2")]).toEqual([true, false]);
  await trees.deleteConversation(named("branch"));
  await trees.gc({ graceMs: 0 });
  expect([holds("secretwordturn_1"), holds("secretword")]).toEqual([false, false]);
  await trees.close();
  rmSync(own, { recursive: true });
});

function contentOf(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return ""; // The log is gone after a checkpoint.
  }
}

async function twoStores() {
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), "cairn-branches-")));
  const [from, to] = await Promise.all(folders.map((folder) => openEmbeddedStore({ dir: folder, sync: "off" })));
  if (from === undefined || to === undefined) throw new Error("There are two folders.");
  return {
    from,
    to,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([from.close(), to.close()]);
      for (const folder of folders) rmSync(folder, { recursive: true });
    },
  };
}

test("a branch that was made after a copy is not left out silently when the copy is repeated", async () => {
  await using stores = await twoStores();
  const { from, to } = stores;
  await from.createConversation(named("trunk"), { events: turn(1, "turn_1") });
  await from.branch(named("trunk"), 3, "early");
  expect(await copyStore(from, to)).toEqual({ copied: 1, there: 1, gone: 0 });
  expect(await copyStore(from, to)).toEqual({ copied: 0, there: 2, gone: 0 });
  await from.branch(named("trunk"), 3, "late");
  await expect(copyStore(from, to)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("the tree grew after the copy"),
  });
  await to.deleteConversation(named("trunk"), { tree: true });
  expect(await copyStore(from, to)).toEqual({ copied: 1, there: 2, gone: 0 });
  expect((await to.turns(named("late"))).items).toHaveLength(1);
});

test("a tree that grows during a copy is copied as it was when its turn came", async () => {
  await using stores = await twoStores();
  const { from, to } = stores;
  await from.createConversation(named("trunk"), { events: turn(1, "turn_1") });
  await from.branch(named("trunk"), 3, "early");
  const all = from.conversations();
  vi.spyOn(from, "conversations").mockImplementationOnce(async function* () {
    for await (const each of all) {
      yield each;
      if (each.conversation === "trunk") await from.branch(named("trunk"), 3, "late");
    }
    return undefined;
  });
  expect(await copyStore(from, to)).toEqual({ copied: 1, there: 2, gone: 0 });
  const { items } = await to.branches(named("trunk"));
  expect(items.map(({ conversation }) => conversation)).toEqual(["trunk", "early"]);
});

test("an import reads the events of a trunk once for all branches that begin at the same place", async () => {
  const EVENTS = 100;
  await using stores = await twoStores();
  const { from, to } = stores;
  const titles = Array.from({ length: EVENTS }, (_, nth) => makeEvent("meta.set", { conversation_title: `${nth}` }));
  await from.createConversation(named("trunk"), { events: titles });
  const importWork = async (branches: number) => {
    for (let nth = 0; nth < 10; nth++) await from.branch(named("trunk"), EVENTS, `branch ${branches} ${nth}`);
    const file = await Array.fromAsync(from.exportConversation(named("trunk")));
    const copy = { ...named("trunk"), user: `with ${branches} branches` };
    return workOf(() => to.importConversation(copy, file, { moves: true }));
  };
  const [ten, twenty] = [await importWork(10), await importWork(20)];
  expect(twenty - ten).toBeLessThan(10 * EVENTS);
});
