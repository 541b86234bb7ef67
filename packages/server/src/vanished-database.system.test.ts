/**
 * Tests servers and workers as processes whose PostgreSQL disappears without closing connections. They still stop on a
 * signal.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { childEnv } from "@cairn/testkit/child-env";
import { SilentLine, startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { describe, expect, it } from "vitest";

const missing = whyNoPostgres();
const BIN = fileURLToPath(new URL("../../cli/bin/cairn.mjs", import.meta.url));

describe.skipIf(missing !== null)(`a database that vanished${missing === null ? "" : ` (${missing})`}`, () => {
  it("keeps no process from stopping, whether it serves followers or runs turns", {
    timeout: 300_000,
  }, async () => {
    await using undo = new AsyncDisposableStack();
    const folder = undo.adopt(await mkdtemp(join(tmpdir(), "cairn-vanished-")), (made) =>
      rm(made, { recursive: true, force: true }),
    );
    const postgres = undo.adopt(await startPostgres({ sync: false }), (server) => server.close());
    const url = new URL(await postgres.createDatabase());
    const line = undo.use(await SilentLine.open(Number(url.port)));
    url.port = String(line.port);

    const start = async (...args: readonly string[]) => {
      const database = { CAIRN_DATABASE_URL: url.href, CAIRN_BLOBS_URL: join(folder, "blobs") };
      const child = spawn(process.execPath, [BIN, ...args, "--port", "0", "--json"], {
        cwd: folder,
        env: {
          ...childEnv(),
          ...database,
          CAIRN_DATA_DIR: join(folder, String(args[0])),
          CAIRN_DRAIN_SECONDS: "0",
        },
        stdio: ["ignore", "pipe", "ignore"],
      });
      undo.defer(() => void child.kill("SIGKILL"));
      const ended = once(child, "exit").then(([code, signal]) =>
        Promise.reject(new Error(`It ended: ${code ?? signal}`)),
      );
      const [said] = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
      return { child, address: String(JSON.parse(String(said)).address) };
    };
    const [server, worker] = await Promise.all([start("serve", "--no-turns"), start("worker")]);
    const headers = { "content-type": "application/json" };
    const made = await fetch(`${server.address}/api/conversations`, { method: "POST", headers, body: "{}" });
    const { conversation_id: id } = JSON.parse(await made.text());
    const events = await fetch(`${server.address}/api/conversations/${id}/events`);
    // A client follows the conversation, so the server listens for notifications of the database.
    await events.body?.getReader().read();

    line.cut();
    const ends = [server, worker].map(({ child }) => once(child, "exit"));
    for (const { child } of [server, worker]) child.kill("SIGTERM");
    expect(await Promise.all(ends)).toEqual([
      [0, null],
      [0, null],
    ]);
  });
});
