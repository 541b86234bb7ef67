/** Tests the queue's connections to a PostgreSQL that disappears without closing them. */
import { setTimeout as wait } from "node:timers/promises";
import { type PostgresServer, SilentLine, startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { Logger } from "graphile-worker";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openQueueDatabase } from "./queue-database.ts";
import { StatusChannel } from "./status-channel.ts";
import { WorkerHeartbeats } from "./worker-heartbeats.ts";

const missing = whyNoPostgres();
const quiet = (lost: Error[]) => ({
  logger: new Logger(() => () => undefined),
  onConnectionLost: (error: Error) => void lost.push(error),
});
/** The interval of the probes, and also the timeout of a connection, which takes long on a busy machine. */
const SILENCE_MS = 1_500;

describe.skipIf(missing !== null)(`the queue's database${missing === null ? "" : ` (${missing})`}`, () => {
  let postgres: PostgresServer;
  let url: URL;
  let postgresPort: number;
  beforeAll(async () => {
    postgres = await startPostgres({ sync: false });
    url = new URL(await postgres.createDatabase());
    postgresPort = Number(url.port);
  });
  afterAll(() => postgres?.close());

  it("is queried on a new connection when it disappeared, also after queries that timed out", async () => {
    await using line = await SilentLine.open(Number(url.port));
    url.port = String(line.port);
    const lost: Error[] = [];
    const database = await openQueueDatabase({ ...quiet(lost), url: url.href, silenceMs: SILENCE_MS });
    const listener = database.makeListener();
    await listener.connect();
    database.watch(listener);
    const ended = new Promise((resolve) => listener.on("end", () => resolve(true)));

    // A connection without data stays open if it answers a probe.
    await wait(2.5 * SILENCE_MS);
    await listener.query("LISTEN quiet");
    const given = await database.pool.connect();
    line.cut();
    const unanswered = given.query("SELECT 1");
    // Returns the connection to the pool even in the middle of a query, as graphile-worker does.
    given.release();
    await expect(unanswered).rejects.toThrow("Connection terminated");
    await ended;
    line.mend();
    // The first caller may still get a broken connection, which is not detected yet.
    const ask = () => database.pool.query("SELECT 2 AS two").then(({ rows }) => rows, String);
    await expect.poll(ask).toEqual([{ two: 2 }]);
    // The listening connection, and the connection that was returned to the pool.
    expect(lost.length).toBeGreaterThanOrEqual(2);
    await database.close();
  });

  it("does not keep a process from ending when it disappeared", async () => {
    await using line = await SilentLine.open(postgresPort);
    const through = new URL(url);
    through.port = String(line.port);
    const database = await openQueueDatabase({ ...quiet([]), url: through.href });
    const channel = new StatusChannel({
      database,
      hear: () => undefined,
      hearGoing: () => undefined,
      status: async () => "idle",
    });
    channel.listen();
    const listeners = "SELECT 1 FROM pg_stat_activity WHERE query = 'LISTEN cairn_standings' AND state = 'idle'";
    await expect.poll(async () => (await database.pool.query(listeners)).rowCount, { timeout: 60_000 }).toBe(1);
    const heartbeats = new WorkerHeartbeats(database);
    await heartbeats.beat(["a pool"]);
    line.cut();
    await channel.close();
    await heartbeats.leave(["a pool"]).catch(() => undefined);
    await database.close();
  });
});
