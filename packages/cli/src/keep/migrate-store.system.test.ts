/**
 * Tests the migration from a data folder to a cluster and back: the conversations stay the same, byte for byte, even if
 * the command is killed before its end.
 */
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { makeEvent } from "@cairn/timeline";
import { loadSettings, openStore } from "cairn-agent/process";
import { describe, expect, it } from "vitest";
import { CliBench } from "../../test/cli-bench.ts";

const missing = whyNoPostgres();

describe("cairn migrate-store", () => {
  it("needs a target, and rejects the current store", async () => {
    await using bench = await CliBench.open();
    await bench.run(["chat"], { input: "Remember that I like tea\n" });
    const to = async (...args: readonly string[]) => (await bench.run(["migrate-store", ...args])).stderr;
    expect(await to()).toContain("--to is missing.");
    expect(await to("--to", ".cairn")).toContain("--to names the store that the conversations are already in.");
    expect(await to("--to", "elsewhere", "--blobs", "x")).toContain("--blobs can only be used with a database.");
    expect(await to("--to", "postgres://127.0.0.1:1/none")).toContain("--blobs is missing");
  });

  it.skipIf(missing !== null)(
    `copies there and back, and copies nothing twice when it is repeated${missing === null ? "" : ` (${missing})`}`,
    async () => {
      await using bench = await CliBench.open();
      const postgres = await startPostgres();
      try {
        await bench.write("notes.md", "The bridge was built in 1897.");
        await bench.run(["chat", "-a", "notes.md"], { input: "Write a report about the bridge\n" });
        await bench.run(["chat"], { input: "Remember that I like tea\n" });
        const database = await postgres.createDatabase();
        const there = ["migrate-store", "--json", "--to", database, "--blobs", join(bench.folder, "shared")];
        const first = await bench.run(there);
        expect([first.stderr, JSON.parse(first.stdout)]).toEqual(["", { copied: 2, there: 0, gone: 0, checked: 2 }]);
        expect(JSON.parse((await bench.run(there)).stdout)).toEqual({ copied: 0, there: 2, gone: 0, checked: 2 });
        const env = { CAIRN_DATABASE_URL: database, CAIRN_BLOBS_URL: join(bench.folder, "shared") };
        const back = await bench.run(["migrate-store", "--json", "--to", "back"], { env });
        expect(JSON.parse(back.stdout)).toEqual({ copied: 2, there: 0, gone: 0, checked: 2 });
        const listed = async (more: Readonly<Record<string, string>>) =>
          (await bench.run(["list", "--json"], { env: more })).stdout;
        expect(await listed({ CAIRN_DATA_DIR: "back" })).toBe(await listed({}));
      } finally {
        await postgres.close();
      }
    },
  );

  it.skipIf(missing !== null)(
    `is killed on the way there and back, and still ends with everything copied once${missing === null ? "" : ` (${missing})`}`,
    async () => {
      await using bench = await CliBench.open();
      const postgres = await startPostgres();
      try {
        const stores = {
          here: { CAIRN_DATA_DIR: "here" },
          there: { CAIRN_DATABASE_URL: await postgres.createDatabase(), CAIRN_BLOBS_URL: join(bench.folder, "shared") },
          back: { CAIRN_DATA_DIR: "back" },
        };
        await fill(bench, stores.here);
        const to = ["--to", stores.there.CAIRN_DATABASE_URL, "--blobs", stores.there.CAIRN_BLOBS_URL];
        await killOnTheWay(bench, { from: stores.here, to: stores.there, args: to });
        await killOnTheWay(bench, { from: stores.there, to: stores.back, args: ["--to", "back"] });
        for (const env of [stores.there, stores.back])
          expect(await contentOf(bench, env)).toEqual(await contentOf(bench, stores.here));
      } finally {
        await postgres.close();
      }
    },
    120_000,
  );

  it("copies the data of one tenant, including its users' spending, and nothing of others", async () => {
    await using bench = await CliBench.open();
    await fill(bench, { CAIRN_DATA_DIR: "here" }, 4);
    const env = { CAIRN_DATA_DIR: "here" };
    const copied = await bench.run(["migrate-store", "--json", "--to", "moved", "--tenant", "odd"], { env });
    expect([copied.stderr, JSON.parse(copied.stdout)]).toEqual(["", { copied: 2, there: 0, gone: 0, checked: 2 }]);
    const moved = await contentOf(bench, { CAIRN_DATA_DIR: "moved" });
    expect(moved.tenants).toEqual(["odd", "odd"]);
    expect(moved.spent).toEqual([
      expect.objectContaining({ scope: { tenant: "odd", project: "p", user: "u" }, tokens: 4 }),
    ]);
  });

  it("reports the conversation that was changed after it was copied", async () => {
    await using bench = await CliBench.open();
    await fill(bench, { CAIRN_DATA_DIR: "here" }, 1);
    const run = () => bench.run(["migrate-store", "--to", "moved"], { env: { CAIRN_DATA_DIR: "here" } });
    expect((await run()).code).toBe(0);
    await withStore(bench, { CAIRN_DATA_DIR: "here" }, async (store) => {
      const [key] = await Array.fromAsync(store.conversations());
      if (key !== undefined) await store.append(key, [makeEvent("cancel.requested", { key: "k", ts: TS })]);
    });
    const again = await run();
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining("c0 has 3 events here and 2 in the other store"),
    ]);
  });
});

type Env = Readonly<Record<string, string>>;

const TS = "2026-02-09T10:00:00Z";
const CONVERSATIONS = 40;
const KILLS = process.env.CAIRN_LONG === "1" ? 8 : 2;

async function withStore<T>(
  bench: CliBench,
  env: Env,
  use: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>,
): Promise<T> {
  const store = await openStore(await loadSettings({ cwd: bench.folder, env }));
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Conversations of two tenants. Each has a file of its own, and a file that all conversations of its tenant have. */
async function fill(bench: CliBench, env: Env, conversations = CONVERSATIONS): Promise<void> {
  await withStore(bench, env, async (store) => {
    for (let nth = 0; nth < conversations; nth++) {
      const key = { tenant: nth % 2 === 0 ? "even" : "odd", project: "p", user: "u", conversation: `c${nth}` };
      await store.createConversation(key);
      for (const bytes of [Buffer.alloc(100_000, nth), Buffer.from("shared")]) {
        const { ref, size } = await store.putBlob(key, [bytes]);
        const attachments = [{ name: "a.bin", mime: "application/zip", size_bytes: size, blob: ref }];
        const input = { key: `m${size}`, mode: "turn" as const, message: "x".repeat(50_000), attachments, ts: TS };
        await store.append(key, [makeEvent("input.received", input)]);
      }
    }
    const scope = (tenant: string) => ({ tenant, project: "p", user: "u" });
    await store.keepSpentMinutes([
      { scope: scope("even"), at: 60_000, tokens: 3, dollars: 0.5 },
      { scope: scope("odd"), at: 120_000, tokens: 4, dollars: 0.25 },
    ]);
  });
}

/** Kills the command several times, each time after it has copied some more conversations. Then lets it finish. */
async function killOnTheWay(
  bench: CliBench,
  { from, to, args }: { readonly from: Env; readonly to: Env; readonly args: readonly string[] },
): Promise<void> {
  const command = ["migrate-store", "--json", ...args];
  const before = await withStore(bench, to, async (store) => {
    const copied = async () => (await Array.fromAsync(store.conversations())).length;
    let known = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      let child: ChildProcess | undefined;
      const ended = bench.spawn(command, { env: from, onSpawn: (started) => (child = started) });
      while ((await copied()) < known + 2) await pause(5);
      child?.kill("SIGKILL");
      expect((await ended).signal).toBe("SIGKILL");
      known = await copied();
      expect(known).toBeLessThan(CONVERSATIONS);
    }
    return known;
  });
  const last = await bench.run(command, { env: from });
  expect([last.stderr, JSON.parse(last.stdout)]).toEqual([
    "",
    { copied: CONVERSATIONS - before, there: before, gone: 0, checked: CONVERSATIONS },
  ]);
}

/** The whole content of a store, after a garbage collection. */
async function contentOf(bench: CliBench, env: Env) {
  return await withStore(bench, env, async (store) => {
    await store.gc({ graceMs: 0 });
    expect(await Array.fromAsync(store.verify())).toEqual([]);
    const keys = (await Array.fromAsync(store.conversations())).sort((a, b) =>
      a.conversation < b.conversation ? -1 : 1,
    );
    const files: string[] = [];
    for (const key of keys) files.push(Buffer.concat(await Array.fromAsync(store.exportConversation(key))).toString());
    const spent = await Array.fromAsync(store.spentMinutes());
    return { tenants: keys.map(({ tenant }) => tenant), files, spent };
  });
}
