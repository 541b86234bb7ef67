/** Tests a message that crashes every process that answers it. It may crash three processes and then no more. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { describe, expect, it } from "vitest";
import { ClusterBench } from "../test/cluster/cluster-bench.ts";

const BIN = fileURLToPath(new URL("../../cli/bin/cairn.mjs", import.meta.url));
const CONFIG = fileURLToPath(new URL("../test/cluster", import.meta.url));

async function call(address: string, path: string, body?: unknown) {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(`${address}${path}`, body === undefined ? {} : init);
  return JSON.parse(await response.text());
}

async function converse(address: string): Promise<string> {
  return (await call(address, "/api/conversations", {})).conversation_id;
}

async function say(address: string, id: string, message: string): Promise<string> {
  return (await call(address, `/api/conversations/${id}/turns`, { message })).turn_id;
}

/** How a turn ended; null while it is open. */
async function exitOf(address: string, id: string, turnId: string) {
  const { turns } = await call(address, `/api/conversations/${id}`);
  return turns.find(({ turn_id }: { turn_id: string }) => turn_id === turnId)?.exit ?? null;
}

const missing = whyNoPostgres();

describe.skipIf(missing !== null)(`on a cluster of three workers${missing === null ? "" : ` (${missing})`}`, () => {
  it("a message that crashes each worker is quarantined after the third, others are answered, and nothing is lost", async () => {
    const postgres = await startPostgres();
    await using bench = await ClusterBench.start({ postgres, s3: null }, { servers: 1, workers: 3 });
    const address = bench.address(0);
    const [deadly, other] = [await converse(address), await converse(address)];
    const killer = await say(address, deadly, "Please die");
    let deaths = 0;
    let answered = 0;
    const dying = async () => {
      deaths += await bench.replaceDead();
      return exitOf(address, deadly, killer);
    };
    while ((await dying()) === null) {
      const before = deaths;
      const turn = await say(address, other, "Please act");
      const exit = async () => {
        await dying();
        return exitOf(address, other, turn);
      };
      await expect.poll(exit, { timeout: 120_000 }).toBe("complete");
      answered++;
      await expect.poll(async () => (await dying()) !== null || deaths > before, { timeout: 120_000 }).toBe(true);
    }
    expect(await exitOf(address, deadly, killer)).toBe("quarantined");
    expect(deaths).toBe(3);
    expect(answered).toBeGreaterThan(0);

    // The conversation continues, and the message is still in it.
    const next = await say(address, deadly, "Please act");
    await expect.poll(() => exitOf(address, deadly, next), { timeout: 120_000 }).toBe("complete");
    const { turns } = await call(address, `/api/conversations/${deadly}`);
    expect(turns[0].prompt.text).toBe("Please die");
    expect(turns[0].error.code).toBe("quarantined");

    const key = { tenant: "local", project: "default", user: "me" };
    const found = await Array.fromAsync(bench.store.quarantined());
    expect(found).toMatchObject([{ key: { ...key, conversation: deadly }, turn_id: killer }]);
    for (const conversation of [deadly, other])
      expect(await bench.store.verifyConversation({ ...key, conversation })).toEqual([]);
    // Every call ran once.
    const effects = await bench.effects();
    expect(new Set(effects).size).toBe(effects.length);
  });
});

describe("on one server over SQLite", () => {
  async function serve(data: string): Promise<{ child: ChildProcess; address: string }> {
    const env = { ...process.env, CAIRN_DATA_DIR: data, CAIRN_TEST_EFFECTS: join(data, "effects.log") };
    const child = spawn(process.execPath, [BIN, "serve", "--port", "0", "--json"], {
      cwd: CONFIG,
      env,
      stdio: ["ignore", "pipe", "ignore"] as ["ignore", "pipe", "ignore"],
    });
    const [line] = await once(createInterface(child.stdout), "line");
    return { child, address: String(JSON.parse(String(line)).address) };
  }

  it("the fourth start closes the message that crashed three, and a released message is tried again", async () => {
    const data = await mkdtemp(join(tmpdir(), "cairn-quarantine-"));
    const started: ChildProcess[] = [];
    try {
      const start = async () => {
        const server = await serve(data);
        started.push(server.child);
        return server;
      };
      const died = async ({ child }: { child: ChildProcess }) => {
        if (child.signalCode === null) await once(child, "exit");
      };
      const first = await start();
      const id = await converse(first.address);
      const killer = await say(first.address, id, "Please die");
      await died(first);
      for (let life = 2; life <= 3; life++) await died(await start());
      const { address } = await start();
      await expect.poll(() => exitOf(address, id, killer), { timeout: 120_000 }).toBe("quarantined");

      const cairn = async (...args: string[]) => {
        const env = { ...process.env, CAIRN_DATA_DIR: data, CAIRN_AUDIT: join(data, "audit.log") };
        const child = spawn(process.execPath, [BIN, "quarantine", ...args], { cwd: data, env, stdio: "pipe" });
        const out = Array.fromAsync(child.stdout.setEncoding("utf8") as AsyncIterable<string>);
        const [code] = await once(child, "exit");
        return { code, stdout: (await out).join("") };
      };
      expect(JSON.parse((await cairn("--json")).stdout)).toMatchObject({ conversation: id, turn_id: killer });
      const last = started.at(-1);
      expect((await cairn("release", id, killer, "--json")).code).toBe(0);
      // The message runs again, and crashes this server, too.
      await expect.poll(() => last?.signalCode, { timeout: 120_000 }).toBe("SIGKILL");
      expect((await cairn("--json")).stdout).toBe("");
      expect((await cairn("delete", id, "--yes", "--json")).code).toBe(0);
      const again = await start();

      const { conversations } = await call(again.address, "/api/conversations");
      expect(conversations).toEqual([]);
    } finally {
      for (const child of started) child.kill("SIGKILL");
      await rm(data, { recursive: true, force: true });
    }
  });
});
